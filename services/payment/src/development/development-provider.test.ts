import { expect, it, onTestFinished } from 'vitest';
import { createProviderClient } from '../data-access/provider-client.ts';
import { createDevelopmentProvider } from './development-provider.ts';

const request = { orderId: 'A-1', amount: 1999, currency: 'EUR', customer: 'cus_1' };

it('answers as the service asks, and shows its charges', async () => {
  const provider = createDevelopmentProvider(0);
  onTestFinished(() => provider.stop());
  const url = await provider.start();
  const charge = createProviderClient({ url, key: 'any', timeoutMs: 5_000 });
  const { signal } = new AbortController();
  const first = await charge(request, 'job-1', signal);
  expect(await charge(request, 'job-1', signal)).toEqual(first);
  await expect(charge({ ...request, customer: 'cus_declined' }, 'job-2', signal)).rejects.toThrow(
    'payment: declined: the provider answered 402 (card_declined)',
  );
  await expect(charge({ ...request, customer: 'cus_busy' }, 'job-3', signal)).rejects.toMatchObject(
    {
      delayMs: 1_000,
    },
  );
  const page = await fetch(`${url}/charges`);
  expect(page.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await page.json()).toEqual([
    {
      ...request,
      id: first.chargeId,
      idempotencyKey: 'job-1',
      requests: 2,
      createdAt: expect.any(String),
    },
  ]);
});

it('refuses what it cannot read', async () => {
  const provider = createDevelopmentProvider(0);
  onTestFinished(() => provider.stop());
  const url = await provider.start();
  const post = async (body: string) =>
    (await fetch(`${url}/charges`, { method: 'POST', body, headers: { 'idempotency-key': 'a' } }))
      .status;
  expect(await post('{')).toBe(400);
  expect((await fetch(`${url}/other`)).status).toBe(404);
});
