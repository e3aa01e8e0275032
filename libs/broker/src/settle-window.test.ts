import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SettleWindow } from './settle-window.ts';

type State = 'outstanding' | 'to ack' | 'done';

/** What the window must do, spelt out without any economy. */
class Model {
  readonly states = new Map<number, State>();
  readonly settledAtMs = new Map<number, number>();
  readonly acks = new Map<number, number>();
  next = 1;

  count(wanted: State): number {
    return [...this.states.values()].filter((state) => state === wanted).length;
  }

  lowestOutstanding(): number {
    return Math.min(
      this.next,
      ...[...this.states].flatMap(([t, s]) => (s === 'outstanding' ? [t] : [])),
    );
  }

  /** The broker's side of an ack: it may cover only what is to be acked or was settled before. */
  acknowledge(tag: number, multiple: boolean): void {
    expect(this.states.get(tag)).toBe('to ack');
    if (multiple) expect(tag).toBeLessThan(this.lowestOutstanding());
    for (const [covered, state] of this.states) {
      if (covered !== tag && !(multiple && covered < tag)) continue;
      expect(state).not.toBe('outstanding');
      if (state !== 'to ack') continue;
      this.states.set(covered, 'done');
      this.acks.set(covered, (this.acks.get(covered) ?? 0) + 1);
    }
  }
}

interface Pair {
  readonly model: Model;
  readonly real: SettleWindow;
}

/** `at` picks one of the tags seen so far, or one that was never seen. */
const tagOf = (model: Model, at: number) => Math.floor(at * (model.next + 2));

function check({ model, real }: Pair): void {
  expect(real.outstanding).toBe(model.count('outstanding'));
  expect(real.unacked).toBe(model.count('to ack'));
  expect(real.held).toBe(model.count('outstanding') + model.count('to ack'));
}

class Add implements fc.Command<Model, SettleWindow> {
  readonly count: number;
  readonly skip: number;
  constructor(count: number, skip: number) {
    this.count = count;
    this.skip = skip;
  }
  check = () => true;
  run(model: Model, real: SettleWindow): void {
    model.next += this.skip;
    for (let i = 0; i < this.count; i += 1) {
      real.add(model.next);
      model.states.set(model.next, 'outstanding');
      model.next += 1;
    }
    check({ model, real });
  }
  toString = () => `add(${this.count}, skip ${this.skip})`;
}

class Settle implements fc.Command<Model, SettleWindow> {
  readonly kind: 'complete' | 'drop';
  readonly at: number;
  readonly span: number;
  readonly nowMs: number;
  constructor(kind: 'complete' | 'drop', at: number, span: number, nowMs: number) {
    this.kind = kind;
    this.at = at;
    this.span = span;
    this.nowMs = nowMs;
  }
  check = () => true;
  run(model: Model, real: SettleWindow): void {
    // Half of them begin where a run of acks would: at the lowest outstanding tag.
    const first = this.at < 0.5 ? model.lowestOutstanding() : tagOf(model, this.at * 2 - 1);
    for (let tag = first; tag < first + this.span; tag += 1) this.#settle(model, real, tag);
    check({ model, real });
  }
  #settle(model: Model, real: SettleWindow, tag: number): void {
    const isFirst = model.states.get(tag) === 'outstanding';
    expect(this.kind === 'drop' ? real.drop(tag) : real.complete(tag, this.nowMs)).toBe(isFirst);
    if (!isFirst) return;
    model.states.set(tag, this.kind === 'drop' ? 'done' : 'to ack');
    model.settledAtMs.set(tag, this.nowMs);
  }
  toString = () => `${this.kind}(${this.at}, ${this.span} tags, ${this.nowMs} ms)`;
}

class FlushRun implements fc.Command<Model, SettleWindow> {
  check = () => true;
  run(model: Model, real: SettleWindow): void {
    const acks: boolean[] = [];
    const wanted = [...model.states].filter(
      ([tag, state]) => state === 'to ack' && tag < model.lowestOutstanding(),
    );
    real.flushRun((tag, multiple) => {
      acks.push(multiple);
      model.acknowledge(tag, multiple);
    });
    // One ack for the whole run, and a multiple one only where it stands for several.
    expect(acks).toEqual(wanted.length === 0 ? [] : [wanted.length > 1]);
    for (const [tag] of wanted) expect(model.states.get(tag)).toBe('done');
    check({ model, real });
  }
  toString = () => 'flushRun()';
}

class FlushGaps implements fc.Command<Model, SettleWindow> {
  readonly beforeMs: number;
  constructor(beforeMs: number) {
    this.beforeMs = beforeMs;
  }
  check = () => true;
  run(model: Model, real: SettleWindow): void {
    const due = [...model.states].flatMap(([tag, state]) =>
      state === 'to ack' && (model.settledAtMs.get(tag) ?? 0) <= this.beforeMs ? [tag] : [],
    );
    const acked: number[] = [];
    real.flushGaps((tag, multiple) => {
      expect(multiple).toBe(false);
      acked.push(tag);
      model.acknowledge(tag, multiple);
    }, this.beforeMs);
    expect(acked).toEqual(due);
    check({ model, real });
  }
  toString = () => `flushGaps(${this.beforeMs} ms)`;
}

// Evenly spread, unlike the doubles of fast-check, most of which are close to 0.
const at = fc.nat(9_999).map((part) => part / 10_000);
const span = fc.constantFrom(1, 1, 2, 3, 10, 40);
const ms = fc.integer({ min: 0, max: 100 });
const commands = fc.commands(
  [
    fc
      .tuple(fc.integer({ min: 1, max: 90 }), fc.constantFrom(0, 0, 0, 1, 70))
      .map((a) => new Add(...a)),
    fc.tuple(at, span, ms).map((a) => new Settle('complete', ...a)),
    fc.tuple(at, span, ms).map((a) => new Settle('complete', ...a)),
    fc.tuple(at, span, ms).map((a) => new Settle('drop', ...a)),
    fc.constant(new FlushRun()),
    ms.map((beforeMs) => new FlushGaps(beforeMs)),
  ],
  { maxCommands: 60 },
);

/** Settles and flushes what is left: then every tag was acked once, but for those that were dropped. */
function finish(model: Model, real: SettleWindow): void {
  const left = [...model.states].flatMap(([tag, state]) => (state === 'outstanding' ? [tag] : []));
  for (const tag of left) {
    real.complete(tag, 0);
    model.states.set(tag, 'to ack');
  }
  real.flushRun((tag, multiple) => model.acknowledge(tag, multiple));
  expect(real.held).toBe(0);
  for (const count of model.acks.values()) expect(count).toBe(1);
  real.flushGaps(() => expect.unreachable('all was acked'), Number.POSITIVE_INFINITY);
}

describe('SettleWindow', () => {
  it('acks each completed delivery once and never an outstanding one', () => {
    fc.assert(
      fc.property(commands, (run) => {
        const [model, real] = [new Model(), new SettleWindow()];
        fc.modelRun(() => ({ model, real }), run);
        finish(model, real);
      }),
      { numRuns: 300 },
    );
  });

  it('acks a run of deliveries at once, in whatever order they ended', () => {
    const window = new SettleWindow();
    for (let tag = 1; tag <= 5; tag += 1) window.add(tag);
    for (const tag of [3, 1, 2, 5]) window.complete(tag, 0);
    const acks: [number, boolean][] = [];
    window.flushRun((...ack) => acks.push(ack));
    expect(acks).toEqual([[3, true]]);
    expect(window.held).toBe(2);
  });

  it('grows behind one delivery that does not end', () => {
    const window = new SettleWindow();
    window.add(1);
    const acked: number[] = [];
    for (let tag = 2; tag <= 10_000; tag += 1) {
      window.add(tag);
      window.complete(tag, tag);
      window.flushGaps((one) => acked.push(one), tag - 50);
    }
    window.flushGaps((one) => acked.push(one), Number.POSITIVE_INFINITY);
    expect(acked).toEqual(Array.from({ length: 9_999 }, (_, at) => at + 2));
    expect(window.complete(1, 0)).toBe(true);
    window.flushRun((tag, multiple) => expect([tag, multiple]).toEqual([1, false]));
    expect(window.held).toBe(0);
  });

  it('refuses a tag that it has not seen', () => {
    const window = new SettleWindow();
    window.add(1);
    expect([window.complete(2, 0), window.drop(0), window.complete(-1, 0)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(window.outstanding).toBe(1);
  });
});
