import { describe, expect, it } from 'vitest';
import { createWorkerService, type WorkerParts } from './worker-service.ts';

function partsOf(order: string[], isReady = true) {
  const readiness = () => ({ ready: isReady, checks: { broker: isReady ? 'ok' : 'away' } });
  const say = (text: string) => async () => void order.push(text);
  return {
    worker: {
      start: say('worker starts'),
      stop: say('worker stops'),
      readiness: () => ({ ready: true, checks: { consumers: 'ok' } }),
      isHealthy: () => false,
      breakers: () => [{ name: 'smtp', circuits: [] }],
    },
    jobs: { readiness, close: say('publisher closes') },
  } satisfies WorkerParts;
}

function serviceOf(order: string[], prepare: (parts: WorkerParts) => Promise<void>) {
  const close = async () => void order.push('rest closes');
  return createWorkerService({ name: 'probe', graceMs: 1_000, prepare, close });
}

describe('a worker service', () => {
  it('starts its worker once all is there, and ends it before what its handlers use', async () => {
    const order: string[] = [];
    const service = serviceOf(order, async (parts) => {
      order.push('prepared');
      Object.assign(parts, partsOf(order));
    });
    await service.start();
    await service.stop();
    expect(order).toEqual([
      ...['prepared', 'worker starts', 'worker stops', 'publisher closes', 'rest closes'],
    ]);
  });

  it('is ready when its worker and its publisher are', async () => {
    const service = serviceOf([], async (parts) => void Object.assign(parts, partsOf([], false)));
    expect(service.ready()).toEqual({ ready: false, checks: { worker: 'not started' } });
    expect([service.healthy?.(), service.breakers?.()]).toEqual([true, []]);
    await service.start();
    expect(service.ready()).toEqual({
      ready: false,
      checks: { consumers: 'ok', 'publish broker': 'away' },
    });
    expect([service.healthy?.(), service.breakers?.()?.[0]?.name]).toEqual([false, 'smtp']);
    await service.stop();
  });

  it('closes what there is when it could not start', async () => {
    const order: string[] = [];
    const service = serviceOf(order, async (parts) => {
      parts.jobs = partsOf(order).jobs;
      throw new Error('no room');
    });
    await expect(service.start()).rejects.toThrow('no room');
    await service.stop();
    expect(order).toEqual(['publisher closes', 'rest closes']);
  });
});
