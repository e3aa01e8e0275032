import type { Broker } from '@warren/broker';
import { buildTopology, type TopologyStep } from '@warren/topology';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventBindings } from './event-bindings.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function brokerWith(
  patterns: readonly string[],
  declareAgain: (steps: readonly TopologyStep[]) => Promise<void> = async () => {},
) {
  const subscribers = patterns.length > 0 ? [{ name: 'audit', patterns }] : [];
  const topology = buildTopology({ namespace: 'blue', jobTypes: ['email.send'], subscribers });
  const spy = vi.fn(declareAgain);
  return { broker: { topology, declareAgain: spy } as unknown as Broker, declareAgain: spy };
}

describe('EventBindings', () => {
  it('declares the exchange of events and all bindings to it again and again, until stopped', async () => {
    const { broker, declareAgain } = brokerWith(['order.#', 'user.*']);
    const bindings = new EventBindings(broker);
    bindings.start();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(declareAgain).toHaveBeenCalledTimes(3);
    const [steps] = declareAgain.mock.calls[0] ?? [];
    expect(steps?.map((step) => (step.kind === 'binding' ? step.routingKey : step.name))).toEqual([
      'blue.events',
      'order.#',
      'user.*',
    ]);
    bindings.stop();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(declareAgain).toHaveBeenCalledTimes(3);
  });

  it('does nothing in a process without subscribers', () => {
    const { broker } = brokerWith([]);
    new EventBindings(broker).start();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('goes on after a failure, and waits for a slow broker', async () => {
    let answer = (_: Error): void => {};
    const refuse = () =>
      new Promise<void>((_, reject) => {
        answer = reject;
      });
    const { broker, declareAgain } = brokerWith(['#'], refuse);
    const bindings = new EventBindings(broker);
    bindings.start();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(declareAgain).toHaveBeenCalledTimes(1);
    answer(new Error('no connection'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(declareAgain).toHaveBeenCalledTimes(2);
    bindings.stop();
  });
});
