import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type { StormLine, StormWorkerOptions } from '../fixtures/storm-job.ts';
import { MemoryCurve } from './memory-curve.ts';
import type { StormLedger } from './storm-ledger.ts';
import { StormWorkerLife } from './storm-worker-life.ts';
import type { Troubles } from './troubles.ts';

const READY_WITHIN_MS = 300_000;
/** Lives through it all, so that its memory tells something. */
const WITNESS = 'witness';

/** Worker processes: one that is left alone, and others that are killed and replaced. */
export class Crew {
  readonly memory = new MemoryCurve();
  /** Ends that nobody asked for, and clean stops that were none. */
  readonly badEnds: string[] = [];
  readonly #options: StormWorkerOptions;
  readonly #ledger: StormLedger;
  readonly #troubles: Troubles;
  readonly #log: WriteStream;
  readonly #lives = new Map<string, StormWorkerLife>();
  #started = 0;

  constructor(
    options: StormWorkerOptions,
    { ledger, troubles, logs }: { ledger: StormLedger; troubles: Troubles; logs: string },
  ) {
    this.#options = options;
    this.#ledger = ledger;
    this.#troubles = troubles;
    this.#log = createWriteStream(join(logs, 'workers.log'));
  }

  /** Resolves when the witness and so many others consume. */
  async start(others: number): Promise<void> {
    const lives = [this.#begin(WITNESS)];
    for (let slot = 1; slot <= others; slot += 1) lives.push(this.#begin(`worker${slot}`));
    await Promise.all(lives.map((life) => life.whenReady(READY_WITHIN_MS)));
  }

  /** Those that may be ended. */
  get slots(): string[] {
    return [...this.#lives.keys()].filter((slot) => slot !== WITNESS);
  }

  /** Kills the process in this place, and starts another one. */
  async kill(slot: string): Promise<void> {
    const life = this.#lives.get(slot);
    this.#lives.delete(slot);
    if (life) this.#willEnd(life);
    await life?.end('SIGKILL');
    this.#begin(slot);
  }

  /** Replaces the process in this place as a deployment does: the next one is started first. */
  async roll(slot: string, withinMs: number): Promise<void> {
    const life = this.#lives.get(slot);
    const next = this.#begin(slot);
    // A broker that is away keeps it from being ready; the old one goes all the same.
    await next.whenReady(withinMs).catch(() => {});
    if (!life) return;
    this.#willEnd(life);
    const ended = await life.end('SIGTERM');
    // One that has not come so far as to listen to it is ended by the signal.
    const isBad = life.isReady && ended.code !== 0;
    if (isBad) this.badEnds.push(`${life.name}: ${JSON.stringify(ended)}`);
  }

  /** Ends all of them: cleanly, so that what they have in hand is settled or back at the broker; or by a kill. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const lives = [...this.#lives.values()];
    this.#lives.clear();
    const ends = await Promise.all(lives.map((life) => life.end(signal)));
    for (const end of signal === 'SIGTERM' ? ends : []) {
      if (end.code !== 0) this.badEnds.push(`at the end: ${JSON.stringify(end)}`);
    }
  }

  /** Noted before it is told: others may have its jobs before its end is heard of. */
  #willEnd({ name }: StormWorkerLife): void {
    this.#troubles.ofWorker(name, 'ended', Date.now());
  }

  #begin(slot: string): StormWorkerLife {
    this.#started += 1;
    const name = `${slot}.${this.#started}`;
    const hear = (line: StormLine) => this.#hear(slot, name, line);
    const life = new StormWorkerLife(name, this.#options, hear, this.#log);
    this.#lives.set(slot, life);
    void life.ended.then(({ code, signal }) => {
      if (this.#lives.get(slot) !== life) return;
      this.#troubles.ofWorker(name, 'ended', Date.now());
      this.badEnds.push(`${name} ended by itself: ${JSON.stringify({ code, signal })}`);
      this.#begin(slot);
    });
    return life;
  }

  #hear(slot: string, life: string, line: StormLine): void {
    if (line.event === 'memory') {
      if (slot === WITNESS) this.memory.add(line);
    } else if ('run' in line) this.#ledger.record(life, line);
    else if (line.event !== 'ready') this.#troubles.ofWorker(life, line.event, line.atMs);
  }
}
