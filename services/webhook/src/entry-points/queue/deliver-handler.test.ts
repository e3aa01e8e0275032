import { NonRetryableError } from '@warren/contracts';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../data-access/deliverer.ts';
import { readSecrets } from '../../domain/secrets.ts';
import { quietLogger } from '../../fixtures/quiet-logger.ts';
import { deliverHandler } from './deliver-handler.ts';

const [OLD, NEW, ACME] = [1, 2, 3].map(
  (fill) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`,
);
const secrets = readSecrets([`default=${OLD}`, `default=${NEW}`, `acme=${ACME}`]);
const payload = { url: 'https://example.org/hooks', eventType: 'order.placed', data: { a: 1 } };
const context = { signal: new AbortController().signal, log: quietLogger };
const delivered = { status: 200, durationMs: 5, response: 'ok' };

function handlerOf() {
  const sent: Delivery[] = [];
  const deliver = async (delivery: Delivery) => {
    sent.push(delivery);
    return delivered;
  };
  return { sent, handler: deliverHandler({ deliver, secrets }) };
}
const job = (own: object = {}) => ({
  id: 'job-1',
  payload: { ...payload, ...own },
  publishedAtMs: 1_700_000_000_000,
});

describe('webhook.deliver', () => {
  it('signs what it posts, with every key of the name, and tells what came of it', async () => {
    const { sent, handler } = handlerOf();
    expect(await handler(job(), context)).toBe(delivered);
    const [{ url, headers = {}, body = '' } = {}] = sent;
    expect(url).toBe(payload.url);
    for (const secret of [OLD, NEW]) {
      expect(new Webhook(secret ?? '').verify(body, headers)).toEqual({
        type: 'order.placed',
        timestamp: '2023-11-14T22:13:20.000Z',
        data: { a: 1 },
      });
    }
    expect(() => new Webhook(ACME ?? '').verify(body, headers)).toThrow();
  });

  it('signs with the secret that the job names, under the id of the event', async () => {
    const { sent, handler } = handlerOf();
    await handler(job({ secret: 'acme', id: 'evt_1' }), context);
    const [{ headers = {}, body = '' } = {}] = sent;
    expect(headers['webhook-id']).toBe('evt_1');
    expect(new Webhook(ACME ?? '').verify(body, headers)).toBeTruthy();
  });

  it('sends nothing unsigned', async () => {
    const { sent, handler } = handlerOf();
    const failure = await handler(job({ secret: 'nobody' }), context).catch((error) => error);
    expect(failure).toBeInstanceOf(NonRetryableError);
    expect(String(failure)).toContain('there is no secret "nobody"');
    expect(sent).toEqual([]);
  });
});
