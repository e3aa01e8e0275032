import type { Stage } from './stage.ts';

interface JobRequest {
  readonly type: string;
  readonly payload: object;
  readonly delay?: string;
}

/** What a shop asks for in its second `n`: mails of which some are refused or put off, charges, webhooks, documents. */
export function jobsOfSecond(n: number, { outside }: Pick<Stage, 'outside'>): JobRequest[] {
  const jobs = Array.from({ length: 8 }, (_, index) => mail(`customer-${n}-${index}@example.org`));
  jobs.push(mail(`customer-${n}@busy.test`), charge(n), charge(n + 0.5));
  jobs.push(hook(`${outside.url}/hook/orders`), hook(`${outside.url}/hook/slow`));
  if (n % 2 === 0) jobs.push({ ...mail(`later-${n}@example.org`), delay: '20s' });
  if (n % 3 === 0) jobs.push(document(`${outside.url}/document-${n}.pdf`));
  if (n % 5 === 0) jobs.push(hook(`${outside.otherUrl}/hook/broken`));
  if (n % 20 === 0) jobs.push(mail(`nobody-${n}@refuse.test`));
  if (n % 30 === 0) jobs.push(document(`${outside.url}/gone-${n}.pdf`));
  return jobs;
}

/** More mails at once than can be sent at once. */
export const burst = (count: number): JobRequest[] =>
  Array.from({ length: count }, (_, index) => mail(`reader-${index}@example.org`));

const mail = (to: string): JobRequest => ({
  type: 'email.send',
  payload: { to, subject: 'Your order', text: 'It is on its way.' },
});

const charge = (order: number): JobRequest => ({
  type: 'payment.charge',
  payload: { orderId: `A-${order}`, amount: 1999, currency: 'EUR', customer: 'cus_4711' },
});

const hook = (url: string): JobRequest => ({
  type: 'webhook.deliver',
  payload: { url, eventType: 'order.placed', data: { orderId: 'A-1001' } },
});

const document = (url: string): JobRequest => ({ type: 'document.fetch', payload: { url } });

/** More deliveries to one host than it may get at once. */
export const hooksAtOnce = ({ outside }: Pick<Stage, 'outside'>, count: number): JobRequest[] =>
  Array.from({ length: count }, () => hook(`${outside.otherUrl}/hook/orders`));

/** What other clients ask a gateway in their second `n`: one job, twice the same, after it, and for what is not there. */
export async function askOneByOne(gatewayUrl: string, n: number): Promise<void> {
  const post = () =>
    fetch(`${gatewayUrl}/v1/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `order-${n}` },
      body: JSON.stringify(mail(`order-${n}@example.org`)),
    });
  try {
    const { id } = (await (await post()).json()) as { id: string };
    if (n % 3 === 0) await (await post()).text();
    await (await fetch(`${gatewayUrl}/v1/jobs/${n % 10 === 0 ? 'nonsense' : id}`)).text();
  } catch {
    // What it refuses is part of the picture.
  }
}

/** Has the dead letters of mails replayed, as an operator would. */
export async function replayMails(gatewayUrl: string): Promise<void> {
  const answer = await fetch(`${gatewayUrl}/v1/replays`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ queue: 'email.send', rate: 1, reason: 'for the preview' }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.text();
}

/** Asks the gateway. Never rejects: what it refuses is part of the picture. */
export async function ask(gatewayUrl: string, jobs: readonly JobRequest[]): Promise<void> {
  await fetch(`${gatewayUrl}/v1/jobs/bulk`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: jobs.map((job) => `${JSON.stringify(job)}\n`).join(''),
  })
    .then((response) => response.text())
    .catch(() => undefined);
}
