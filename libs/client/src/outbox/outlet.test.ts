import type { OutgoingMessage } from '@warren/broker';
import { HEADERS } from '@warren/contracts';
import { createNames } from '@warren/topology';
import { expect, it } from 'vitest';
import { PunctualOutlet } from './outlet.ts';

it('sends what has waited beyond its time straight to its queue, and all else as it is', async () => {
  const names = createNames();
  const sent: OutgoingMessage[] = [];
  const outlet = new PunctualOutlet(
    {
      isOpen: true,
      refusal: () => undefined,
      publish: async (message) => void sent.push(message),
      end: async () => {},
    },
    names,
  );
  const base = { messageId: 'i', type: 'a.b', persistent: true, mandatory: true } as const;
  const plain = { exchange: 'jobs', routingKey: 'a.b', body: Buffer.of(), properties: base };
  const late = {
    exchange: 'retry.1h',
    routingKey: 'a.b',
    body: Buffer.of(),
    properties: {
      ...base,
      expiration: '3600000',
      headers: { [HEADERS.notBefore]: Date.now() - 1_000 },
    },
  };
  await outlet.publish(plain);
  await outlet.publish(late);
  expect(sent[0]).toBe(plain);
  expect(sent[1]).toMatchObject({ exchange: names.jobs, routingKey: 'a.b' });
  expect(sent[1]?.properties).not.toHaveProperty('expiration');
});
