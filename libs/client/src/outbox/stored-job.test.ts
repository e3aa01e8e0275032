import { defineJob, HEADERS, type JobDefinition } from '@warren/contracts';
import { createNames } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toJobMessage } from '../outgoing-job.ts';
import { fromStoredJob, type StoredJob, toStoredJob } from './stored-job.ts';

const job = defineJob({ type: 'order.ship', schema: z.strictObject({ order: z.string() }) });
const sender = { service: 'shop', names: createNames('n') };
const payload = { order: 'A-7' };
const id = '0190b5a2-0000-7000-8000-000000000000';

const laned = defineJob({ type: 'order.pack', schema: job.schema, lanes: true });

/** As it comes back from a database. */
const stored = (options = {}, of: JobDefinition = job): StoredJob => {
  const { properties, ...rest } = toStoredJob(of, payload, options) as StoredJob;
  return { ...rest, properties: JSON.parse(JSON.stringify(properties)) as never };
};

describe('a job that is sent later', () => {
  it('is the message that a direct publish would have sent', () => {
    const options = { id, headers: { tenant: 'a', n: 1.5, ok: true }, correlationId: 'c' };
    const later = fromStoredJob(sender, stored(options), Date.now());
    const direct = toJobMessage(sender, job, payload, options) as typeof later;
    const undated = ({ properties, ...rest }: typeof later) => ({
      ...rest,
      properties: { ...properties, timestamp: 0 },
    });
    expect(undated(later)).toEqual(undated(direct));
  });

  it('waits for what is left of its delay', () => {
    const kept = stored({ delay: '1h' });
    const dueMs = kept.notBeforeMs ?? 0;
    const early = fromStoredJob(sender, kept, dueMs - 3_599_000);
    expect(early).toMatchObject({ exchange: 'n.retry.30m', routingKey: 'n.order.ship' });
    expect(early.properties).toMatchObject({
      expiration: '1800000',
      headers: { [HEADERS.notBefore]: dueMs },
    });
    expect(fromStoredJob(sender, kept, dueMs - 10_000).exchange).toBe('n.retry.10s');
    const due = fromStoredJob(sender, kept, dueMs + 5);
    expect(due).toMatchObject({ exchange: 'n.jobs', routingKey: 'order.ship' });
    expect(due.properties.expiration).toBeUndefined();
    expect(due.properties.headers).toBeUndefined();
  });

  it('goes into its lane, also after a delay, and does not tell it in its properties', () => {
    const atOnce = fromStoredJob(sender, stored({ lane: 'high' }, laned), Date.now());
    expect(atOnce).toMatchObject({ exchange: 'n.jobs', routingKey: 'order.pack.high' });
    expect(atOnce.properties).not.toHaveProperty('lane');
    const later = fromStoredJob(sender, stored({ lane: 'low', delay: '1h' }, laned), Date.now());
    expect(later.routingKey).toBe('n.order.pack.low');
  });

  it('keeps its time to expire, and is checked before it is written', () => {
    expect(stored({ expiresIn: '5m' }).properties.headers?.[HEADERS.expiresAt]).toBeGreaterThan(
      Date.now(),
    );
    expect(() => toStoredJob(job, { order: 7 }, {})).toThrowError(
      expect.objectContaining({ code: 'PAYLOAD_INVALID' }),
    );
  });
});
