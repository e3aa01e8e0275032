import { HEADERS } from '@warren/contracts';
import { AmqpAdmin, collect, eventually } from '@warren/testing';
import { createNames, RETRY_TIERS } from '@warren/topology';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { acceptedId, mailJob, mailsOfJob, setFailure } from './support/http.ts';
import { type LocalProduct, startLocal } from './support/local-product.ts';

let product: LocalProduct;
let admin: AmqpAdmin;
beforeAll(async () => {
  product = await startLocal({ LOG_LEVEL: 'info' });
  admin = await AmqpAdmin.connect(product.brokerUrl);
});
afterEach(() => setFailure(product.mailboxUrl, 'none'));
afterAll(async () => {
  await admin?.close();
  await product?.dispose();
});

/** Resolves with the name of a retry queue in which a message waits. */
function waitsInRetryQueue(): Promise<string> {
  const { retry } = createNames(product.namespace);
  const queues = RETRY_TIERS.map((tier) => retry(tier));
  return eventually('a job waits in a retry queue', async () => {
    for (const queue of queues) if (await admin.depth(queue)) return queue;
    return undefined;
  });
}

/** The attempt in which the mail of a job was sent, as the service logs it. */
async function attemptThatSent(id: string): Promise<number> {
  const line = await product.program.line(new RegExp(`${id}.*mail handed to the mail server`));
  return (JSON.parse(line) as { attempt: number }).attempt;
}

describe('a job posted to the gateway', () => {
  it('arrives as a mail that names the job', async () => {
    const id = await acceptedId(product.gatewayUrl, mailJob('Arrives'));
    const mails = await mailsOfJob(product.mailboxUrl, id);
    expect(mails).toEqual([
      expect.objectContaining({ jobId: id, subject: 'Arrives', to: 'reader@example.org' }),
    ]);
    expect(await attemptThatSent(id)).toBe(1);
  });

  it.each(['temporary', 'offline'] as const)(
    'is retried while the mail server fails (%s), and arrives when it is healed',
    async (mode) => {
      await setFailure(product.mailboxUrl, mode);
      const id = await acceptedId(product.gatewayUrl, mailJob(mode));
      expect(await waitsInRetryQueue()).toMatch(/\.retry\.\d+m?s$/);
      await setFailure(product.mailboxUrl, 'none');
      expect(await mailsOfJob(product.mailboxUrl, id)).toHaveLength(1);
      expect(await attemptThatSent(id)).toBeGreaterThan(1);
    },
  );

  it('becomes a dead letter at once when the mail server refuses it for good', async () => {
    await setFailure(product.mailboxUrl, 'permanent');
    const id = await acceptedId(product.gatewayUrl, mailJob('Refused'));
    const dead = createNames(product.namespace).deadQueue('email.send');
    const [letter] = await collect(admin, dead, 1);
    expect(letter?.properties.messageId).toBe(id);
    const headers = letter?.properties.headers ?? {};
    expect(headers).toMatchObject({ [HEADERS.deadReason]: 'non_retryable' });
    expect(headers[HEADERS.error]).toContain('550 No such mailbox (the mailbox is set to fail)');
    expect(headers[HEADERS.error]).not.toContain('reader@example.org');
    expect(headers[HEADERS.attempt] ?? 1).toBe(1);
    await product.program.line(new RegExp(`${id}.*job became a dead letter`));
    expect(product.program.stdout).not.toMatch(new RegExp(`${id}.*the job is retried`));
  });
});
