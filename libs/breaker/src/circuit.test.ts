import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Circuit, type Permit } from './circuit.ts';
import type { Verdict } from './verdict.ts';

const policy = {
  volumeThreshold: 4,
  errorThresholdPercentage: 50,
  windowMs: 10_000,
  resetTimeoutMs: 30_000,
  capacity: Number.POSITIVE_INFINITY,
};

let circuit: Circuit;
let states: string[];
function create(changed: Partial<typeof policy> = {}): void {
  circuit?.close();
  states = [];
  circuit = new Circuit({
    policy: { ...policy, ...changed },
    onState: (to, from) => states.push(`${from} → ${to}`),
  });
}
beforeEach(() => {
  vi.useFakeTimers();
  create();
});
afterEach(() => {
  circuit.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function permit(): Permit {
  const answer = circuit.enter();
  if (typeof answer === 'string') throw new Error(`refused: ${answer}`);
  return answer;
}
async function call(...verdicts: Verdict[]): Promise<void> {
  for (const verdict of verdicts) await permit().end(verdict);
}
const fail = (times: number) => call(...Array<Verdict>(times).fill('failure'));
async function open(): Promise<void> {
  await fail(policy.volumeThreshold);
  expect(circuit.state).toBe('open');
}
async function halfOpen(): Promise<void> {
  await open();
  vi.advanceTimersByTime(policy.resetTimeoutMs);
  expect(circuit.state).toBe('half_open');
}

describe('a closed circuit', () => {
  it('stays closed at the first failure, and opens once enough results are failures', async () => {
    await fail(3);
    expect([circuit.state, circuit.waitMs]).toEqual(['closed', 0]);
    await fail(1);
    expect([circuit.state, circuit.enter()]).toEqual(['open', 'open']);
    vi.advanceTimersByTime(10_000);
    expect(circuit.waitMs).toBe(20_000);
  });

  it.each<[string, Verdict[]]>([
    ['closed', ['success', 'success', 'success', 'failure', 'failure']],
    ['open', ['success', 'success', 'failure', 'failure']],
    ['open', ['success', 'failure', 'success', 'success', 'failure', 'failure']],
  ])('is %s after %j', async (expected, verdicts) => {
    await call(...verdicts);
    expect(circuit.state).toBe(expected);
  });

  it('opens at so many failures in a row, whatever came before', async () => {
    await call(...Array<Verdict>(500).fill('success'), 'failure', 'success');
    await fail(3);
    expect(circuit.state).toBe('closed');
    await fail(1);
    expect(circuit.state).toBe('open');
  });

  it('opens at 100 % where that is asked for', async () => {
    create({ errorThresholdPercentage: 100 });
    await open();
    expect(states).toEqual(['closed → open']);
  });

  it('counts neither what says nothing nor what is still under way', async () => {
    const underWay = Array.from({ length: 50 }, permit);
    await call(...Array<Verdict>(100).fill('neutral'));
    await open();
    for (const one of underWay) await one.end('success');
    expect(circuit.state).toBe('open');
  });

  it('forgets what is older than its window', async () => {
    await fail(3);
    vi.advanceTimersByTime(11_000);
    await fail(3);
    expect(circuit.state).toBe('closed');
  });
});

describe('a half-open circuit', () => {
  beforeEach(halfOpen);

  it('lets exactly one call through, and closes when that succeeds, with an empty window', async () => {
    const tried = permit();
    expect([circuit.enter(), circuit.enter()]).toEqual(['open', 'open']);
    await tried.end('success');
    await tried.end('failure');
    expect(circuit.state).toBe('closed');
    await fail(3);
    expect(circuit.state).toBe('closed');
    expect(states).toEqual(['closed → open', 'open → half_open', 'half_open → closed']);
  });

  it('opens again when it fails', async () => {
    await fail(1);
    expect([circuit.state, circuit.waitMs]).toEqual(['open', 30_000]);
  });

  it('tries another when it says nothing', async () => {
    const changed = vi.fn();
    circuit.onChange(changed);
    await call('neutral');
    expect([circuit.state, changed.mock.calls.length]).toEqual(['half_open', 1]);
    await call('success');
    expect(circuit.state).toBe('closed');
  });
});

it.each<Verdict>(['success', 'failure'])(
  'does not hear of calls from before it opened: %s',
  async (late) => {
    const before = permit();
    await halfOpen();
    const tried = permit();
    await before.end(late);
    expect([circuit.state, circuit.enter()]).toEqual(['half_open', 'open']);
    await tried.end('neutral');
  },
);

it('lets as many calls through at once as its capacity, and tells when there is room', async () => {
  create({ capacity: 2 });
  const [one] = [permit(), permit()];
  expect(circuit.enter()).toBe('full');
  const changed = vi.fn();
  const stop = circuit.onChange(changed);
  await one?.end('neutral');
  expect(changed).toHaveBeenCalledTimes(1);
  permit();
  stop();
  expect(circuit.listenerCount).toBe(0);
});

describe('set by an operator', () => {
  it('open, it lets nothing through however long it lasts; let go, it tries one', async () => {
    circuit.force('open');
    vi.advanceTimersByTime(3_600_000);
    expect([circuit.enter(), circuit.waitMs, circuit.override]).toEqual(['open', 30_000, 'open']);
    circuit.force(undefined);
    expect(circuit.state).toBe('half_open');
    await call('success');
    expect(circuit.state).toBe('closed');
  });

  it('closed, it lets all through whatever fails; let go, it begins anew', async () => {
    await open();
    circuit.force('closed');
    await fail(20);
    expect(circuit.state).toBe('closed');
    circuit.force(undefined);
    await fail(3);
    expect(circuit.state).toBe('closed');
    await fail(1);
    expect(states).toEqual(['closed → open', 'open → closed', 'closed → open']);
  });

  it('from open straight to closed, and back', () => {
    circuit.force('open');
    circuit.force('closed');
    circuit.force('open');
    expect(states).toEqual(['closed → open', 'open → closed', 'closed → open']);
  });
});

it('keeps neither timers nor listeners over 100,000 transitions', async () => {
  // The longer the window, the fewer the ticks of its timer.
  create({ volumeThreshold: 1, windowMs: 3_600_000 });
  circuit.onChange(() => undefined);
  const timersWhenClosed = vi.getTimerCount();
  for (let round = 0; states.length < 100_000; round += 1) {
    await call('failure');
    vi.advanceTimersByTime(policy.resetTimeoutMs);
    await call(round % 2 === 0 ? 'success' : 'failure');
    if (round % 2 === 1) {
      vi.advanceTimersByTime(policy.resetTimeoutMs);
      await call('success');
    }
    if (states.length % 1_000 < 8) expect(vi.getTimerCount()).toBe(timersWhenClosed);
  }
  expect([circuit.listenerCount, vi.getTimerCount(), circuit.inHand]).toEqual([
    1,
    timersWhenClosed,
    0,
  ]);
});
