import { vi } from 'vitest';
import type { LeasedMessage, LeasesPort } from './leases-port.ts';

export const LEASE_MS = 30_000;
export const KEY = { queue: 'a.b', id: 'j', token: 7 };

export const MESSAGE: LeasedMessage = {
  id: 'j',
  exchange: 'jobs.due',
  routingKey: 'a.b',
  body: Buffer.from('{}'),
  properties: { messageId: 'j', type: 'a.b', headers: { 'x-attempt': 2 } },
};

/** A store whose every answer a test can change. */
export function fakeLeases() {
  return {
    take: vi.fn<LeasesPort['take']>(),
    renew: vi.fn<LeasesPort['renew']>(async () => true),
    checkpoint: vi.fn<LeasesPort['checkpoint']>(async () => true),
    settle: vi.fn<LeasesPort['settle']>(async () => true),
    moved: vi.fn<LeasesPort['moved']>(async () => true),
    ended: vi.fn<LeasesPort['ended']>(async () => true),
    expired: vi.fn<LeasesPort['expired']>(async () => []),
    counts: vi.fn<LeasesPort['counts']>(async () => []),
  };
}

export const away = () => Promise.reject(new Error('away'));
