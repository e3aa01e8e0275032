import { catalog, sendEmail } from '@warren/catalog';
import { connectJobs } from '@warren/client';
import { BareInstallation } from '../bare.ts';
import { postStream } from '../bulk-http.ts';
import type { Contestant, Scenario } from '../compare.ts';
import { kitOptions } from '../kit.ts';
import { mail, mailRequest } from '../mail.ts';
import { type BenchServer, startBareExpress, startGateway } from '../programs.ts';
import { postMany } from '../raw-http.ts';
import { ratioAtLeast } from '../target.ts';

const REQUESTS = 20_000;
const CONNECTIONS = 50;
const LINES = 50_000;
const WARM_UP_LINES = 20_000;
const RATE = { rate: { unit: 'jobs/s' } };

/** The gateway, in a process of its own: one job a request, and many jobs in one stream. */
export function http(url: string): Scenario[] {
  const namespace = 'benchhttp';
  // With a store, where the environment names one.
  const { DATABASE_URL: databaseUrl } = process.env;
  const gatewayPlace = { brokerUrl: url, namespace, databaseUrl };
  const bare = new BareInstallation(
    url,
    namespace,
    catalog.map(({ type }) => type),
  );
  const postAll = async ({ url: at, stop }: BenchServer): Promise<number> => {
    const options = { count: REQUESTS, connections: CONNECTIONS, status: 202 };
    const perSecond = await rate(REQUESTS, () => postMany(at, '/v1/jobs', mailRequest, options));
    await stop();
    return perSecond;
  };
  const publishing = (name: string, history: boolean): Contestant => ({
    name,
    async run() {
      const jobs = await connectJobs({ ...kitOptions(url, namespace), history, jobs: catalog });
      await jobs.publish(sendEmail, mail);
      const perSecond = await rate(LINES, async () => {
        for await (const result of jobs.publishMany(sendEmail, mails())) {
          if ('error' in result) throw result.error;
        }
      });
      await jobs.close();
      await bare.dispose();
      return { rate: perSecond };
    },
  });
  return [
    {
      name: 'POST /v1/jobs',
      figures: RATE,
      contestants: [
        {
          name: 'gateway',
          async run() {
            const perSecond = await postAll(await startGateway(gatewayPlace));
            await bare.dispose();
            return { rate: perSecond };
          },
        },
        {
          name: 'express, parse and answer',
          run: async () => ({ rate: await postAll(await startBareExpress()) }),
        },
      ],
      pairs: [
        {
          subject: 'gateway',
          against: 'express, parse and answer',
          targets: { rate: ratioAtLeast(0.5) },
        },
      ],
    },
    {
      name: 'bulk over HTTP',
      figures: RATE,
      contestants: [
        {
          name: 'gateway, NDJSON',
          async run() {
            const gateway = await startGateway(gatewayPlace);
            // Its process is new in each round; that of publishMany is warm since the first.
            await postStream(gateway.url, mailRequest, WARM_UP_LINES);
            const perSecond = await rate(LINES, () => postStream(gateway.url, mailRequest, LINES));
            await gateway.stop();
            await bare.dispose();
            return { rate: perSecond };
          },
        },
        publishing('publishMany, history', true),
        publishing('publishMany', false),
      ],
      pairs: [
        {
          // The gateway tells the history, too: this is what HTTP costs.
          subject: 'gateway, NDJSON',
          against: 'publishMany, history',
          targets: { rate: ratioAtLeast(0.8) },
        },
        {
          subject: 'gateway, NDJSON',
          against: 'publishMany',
          targets: { rate: ratioAtLeast(0.8) },
        },
      ],
    },
  ];
}

async function* mails(): AsyncGenerator<typeof mail, void, undefined> {
  for (let count = 0; count < LINES; count += 1) yield mail;
}

async function rate(count: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return count / ((performance.now() - startedAt) / 1_000);
}
