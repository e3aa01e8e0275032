import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { observeConnections, rememberNews } from './broker-observer.ts';
import { memoryLog } from './fixtures/memory-log.ts';
import { createMetrics } from './metrics.ts';

it('shows a connection from when it is wanted, and none that never is', async () => {
  const metrics = createMetrics({ service: 'test', version: '1', processMetrics: false });
  const { onOpening, onUp, onDown } = observeConnections(memoryLog().logger, metrics);
  const shown = async () =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('jobs_broker_connected{'));
  expect(await shown()).toEqual([]);
  onOpening('publish');
  expect(await shown()).toEqual(['jobs_broker_connected{connection="publish"} 0']);
  onUp('publish', '4.3.6');
  expect(await shown()).toEqual(['jobs_broker_connected{connection="publish"} 1']);
  onDown('publish', 'cut');
  expect(await shown()).toEqual(['jobs_broker_connected{connection="publish"} 0']);
});

describe('a problem that stays', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is told again after pauses that grow, and anew once it was over', () => {
    const isNews = rememberNews();
    const toldAtS: number[] = [];
    for (let second = 0; second <= 1_500; second += 1) {
      if (isNews('broker', 'refused')) toldAtS.push(second);
      vi.advanceTimersByTime(1_000);
    }
    expect(toldAtS).toEqual([0, 30, 90, 210, 450, 750, 1_050, 1_350]);
    isNews('broker', '');
    expect(isNews('broker', 'refused')).toBe(true);
  });

  it('is told once where two take turns', () => {
    const isNews = rememberNews();
    const told = ['a', 'b', 'a', 'b'].map((problem) => isNews('broker', problem));
    expect(told).toEqual([true, true, false, false]);
    expect(isNews('other', 'a')).toBe(true);
  });

  it('of a broker that is away is told once, however many connections a process has', () => {
    const metrics = createMetrics({ service: 'test', version: '1', processMetrics: false });
    const { logger, lines } = memoryLog();
    const [email, payment] = [1, 2].map(() => observeConnections(logger, metrics));
    email?.onConnectFailed('publish', 'refused');
    email?.onConnectFailed('consume', 'refused');
    payment?.onConnectFailed('publish', 'refused');
    payment?.onConnectFailed('publish', 'timed out');
    expect(lines().map(({ reason }) => reason)).toEqual(['refused', 'timed out']);
    email?.onUp('publish', '4.3.6');
    payment?.onConnectFailed('publish', 'refused');
    expect(lines().filter(({ reason }) => reason === 'refused')).toHaveLength(2);
  });
});
