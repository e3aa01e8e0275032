import type { BrokerSession, OutgoingMessage } from '@warren/broker';
import { delivered } from '@warren/testing';
import { buildTopology } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import { LetterImport } from './import-letters.ts';
import { letterRecord } from './letter-record.ts';

const topology = buildTopology({ namespace: 'shop', jobTypes: ['email.send'] });

/** Where a letter that came by `routingKey` is published when it is imported into `queue`. */
async function importedTo(queue: string, routingKey: string): Promise<string> {
  const sent: OutgoingMessage[] = [];
  const session = {
    depth: () => Promise.resolve(0),
    publisher: { publish: (one: OutgoingMessage) => Promise.resolve(sent.push(one)) },
  } as unknown as BrokerSession;
  const { message } = delivered({ messageId: 'j' });
  const record = letterRecord({ ...message, fields: { ...message.fields, routingKey } }, queue);
  const letters = new LetterImport({ session, topology, toQueue: false });
  await letters.publish(record, { queue, workQueue: undefined });
  return sent.map((one) => `${one.exchange} ${one.routingKey}`).join();
}

describe('an import', () => {
  it.each([
    // A queue that is declared anew meanwhile loses what is sent straight to it.
    ['shop.email.send.dead', 'whatever', 'shop.jobs.dead shop.email.send'],
    // By its key it is known where it was meant to go.
    ['shop.jobs.unroutable', 'shop.email.lost', 'shop.jobs.unroutable shop.email.lost'],
    ['shop.not.known.dead', 'shop.not.known', ' shop.not.known.dead'],
  ])('brings a letter into %s as dead letters come there', async (queue, routingKey, way) => {
    expect(await importedTo(queue, routingKey)).toBe(way);
  });
});
