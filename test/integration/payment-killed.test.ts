import { setTimeout as pause } from 'node:timers/promises';
import { chargePayment } from '@warren/catalog';
import type { Jobs } from '@warren/client';
import { newJobId } from '@warren/contracts';
import {
  type Installation,
  install,
  openStoreBench,
  type SeenHistory,
  seeHistory,
  sharedDatabaseUrl,
} from '@warren/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../chaos/support/random.ts';
import { Supervisor } from '../chaos/support/supervisor.ts';
import { type Exchange, PaymentProvider } from './support/payment-provider.ts';
import { ProgramChild } from './support/program-child.ts';

const LEASE_MS = 1_000;
const WAVES = 2;
const JOBS_PER_WAVE = 30;
/** In each wave, besides those that are meant for one job. */
const KILLS_PER_WAVE = 2;
const CONCURRENCY = chargePayment.concurrency ?? 0;
const SEED = Date.now() % 1_000_000;

let here: Installation;
let history: SeenHistory;
let bench: Awaited<ReturnType<typeof openStoreBench>>;
const provider = new PaymentProvider();
let supervisors: Record<string, Supervisor<ProgramChild>> = {};
beforeAll(async () => {
  here = await install([chargePayment], { history: true });
  history = seeHistory(here);
  bench = await openStoreBench({ namespace: here.namespace });
  const url = await provider.start();
  // The provider knows by its secret which process asks.
  supervisors = Object.fromEntries(['a', 'b'].map((name) => [name, supervise(name, url)]));
});
afterAll(async () => {
  await Promise.all(Object.values(supervisors).map((one) => one.stop('SIGKILL')));
  provider.stop();
  await history.close();
  await here.dispose();
  await bench.dispose();
});

function supervise(name: string, url: string): Supervisor<ProgramChild> {
  const env = {
    AMQP_URL: here.url,
    WARREN_NAMESPACE: here.namespace,
    DATABASE_URL: sharedDatabaseUrl(),
    PAYMENT_PROVIDER_URL: url,
    PAYMENT_PROVIDER_KEY: name,
  };
  return new Supervisor(() => new ProgramChild('payment', env, LEASE_MS));
}

const childOf = ({ client }: Exchange) => supervisors[client]?.child;

/** Kills processes that ask, each at a random moment after its first request; so many at most. */
class Killer {
  readonly #random: () => number;
  readonly #kills = new Map<unknown, Promise<unknown>>();
  left = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  get kills(): number {
    return this.#kills.size;
  }

  see(exchange: Exchange): void {
    const child = childOf(exchange);
    if (this.left === 0 || this.#kills.has(child)) return;
    this.left -= 1;
    const killing = pause(this.#random() * 300).then(() => child?.end('SIGKILL'));
    this.#kills.set(child, killing);
  }

  async whenDone(): Promise<void> {
    await Promise.all(this.#kills.values());
  }
}

/** Publishes so many charges; resolves with their ids. */
async function publishWave(jobs: Jobs, first: number): Promise<string[]> {
  const publishing = Array.from({ length: JOBS_PER_WAVE }, async (_, index) => {
    const amount = first + index + 1;
    const payload = { orderId: `A-${amount}`, amount, currency: 'EUR', customer: 'cus_1' };
    return (await jobs.publish(chargePayment, payload)).id;
  });
  return Promise.all(publishing);
}

async function doneClaims(): Promise<number> {
  const [row] = await bench.sql('SELECT count(*)::int AS done FROM warren.claims WHERE is_done');
  return Number(row?.['done']);
}

const why = `seed ${SEED}`;

/** The job has succeeded, and its result is the one charge that was made for it. */
async function expectOneCharge(id: string): Promise<void> {
  const events = await history.until(id, 'succeeded');
  const done = events.find((event) => event.kind === 'succeeded');
  const [charge, ...others] = provider.chargesOf(id);
  expect(JSON.parse(done?.result ?? ''), why).toMatchObject({ chargeId: charge?.id });
  expect(others, why).toEqual([]);
}

it('charges once for each job, whenever the processes are killed', async () => {
  const random = seededRandom(SEED);
  const killer = new Killer(random);
  provider.byDefault = async (exchange) => {
    killer.see(exchange);
    const [beforeMs, afterMs] = [random() * 80, random() * 80];
    await pause(beforeMs);
    const charge = exchange.charge();
    await pause(afterMs);
    exchange.answer(201, charge);
  };
  const jobs = await here.connect();
  // Another try may have been before.
  const before = {
    done: await doneClaims(),
    requests: provider.requests.length,
    charges: provider.charges.length,
  };
  for (let wave = 0; wave < WAVES; wave += 1) {
    killer.left = KILLS_PER_WAVE;
    for (const id of await publishWave(jobs, wave * JOBS_PER_WAVE)) await expectOneCharge(id);
    await killer.whenDone();
  }
  expect(killer.kills, why).toBeGreaterThanOrEqual(WAVES);
  // A kill repeats at most what was in hand, in the work queue and in that of the suspects.
  const charges = provider.charges.length - before.charges;
  const repeated = provider.requests.length - before.requests - charges;
  expect(repeated, why).toBeLessThanOrEqual(killer.kills * (CONCURRENCY + 1));
  expect([(await doneClaims()) - before.done, charges], why).toEqual(
    Array.from({ length: 2 }, () => WAVES * JOBS_PER_WAVE),
  );
  const { deadQueue } = here.topology.names;
  expect(await here.admin.depth(deadQueue(chargePayment.type)), why).toBe(0);
}, 150_000);

it('asks again where a process died before it knew, under the same key', async () => {
  const jobs = await here.connect();
  const [before, after] = [newJobId(), newJobId()];
  provider.script(before, (exchange) => childOf(exchange)?.end('SIGKILL'));
  provider.script(after, async (exchange) => {
    exchange.charge();
    await childOf(exchange)?.end('SIGKILL');
  });
  for (const [index, id] of [before, after].entries()) {
    const payload = { orderId: `B-${index}`, amount: 5, currency: 'EUR', customer: 'cus_1' };
    await jobs.publish(chargePayment, payload, { id });
  }
  for (const id of [before, after]) {
    await expectOneCharge(id);
    // What runs once cannot know what a dead run did: the provider must.
    expect(provider.requestsOf(id)).toBeGreaterThan(1);
    const attempts = history.of(id).flatMap((e) => (e.kind === 'started' ? [e.attempt] : []));
    expect(Math.max(...attempts)).toBe(1);
  }
});
