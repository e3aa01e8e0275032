import type { OutgoingMessage } from '@warren/broker';
import { HEADERS, newJobId } from '@warren/contracts';
import { stateAfter } from '@warren/history';
import { expect, it } from 'vitest';
import { queuedEvent } from './queued-event.ts';

const message = (properties: object): OutgoingMessage => ({
  exchange: 'jobs',
  routingKey: 'a.b',
  body: Buffer.of(),
  properties: { messageId: newJobId(), persistent: true, mandatory: true, ...properties },
});

it('tells of the job in its queue, or that it is scheduled', () => {
  const now = queuedEvent(message({ type: 'a.b', appId: 'shop', correlationId: 'c' }), 1_000);
  expect(now).toMatchObject({
    kind: 'queued',
    type: 'a.b',
    queue: 'a.b',
    generation: 0,
    attempt: 1,
    run: '',
    service: 'shop',
    correlationId: 'c',
    atMs: 1_000,
  });
  expect(now && stateAfter(now)).toBe('queued');
  const later = queuedEvent(
    message({ type: 'a.b', headers: { [HEADERS.notBefore]: 5_000 } }),
    1_000,
  );
  expect(later).toMatchObject({ dueAtMs: 5_000, service: '' });
  expect(later && stateAfter(later)).toBe('scheduled');
});

it('tells nothing of what names no job type', () => {
  expect(queuedEvent(message({}), 1_000)).toBeUndefined();
});
