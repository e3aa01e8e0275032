import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newJobId } from '@warren/contracts';
import { createNames } from '@warren/topology';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailsOfJob, mailsWhere } from './support/http.ts';
import { type LocalProduct, startLocal } from './support/local-product.ts';

const run = promisify(execFile);
const script = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const PYTHON = '/usr/bin/python3';

const hasPika = await run(PYTHON, ['-c', 'import pika']).then(
  () => true,
  () => false,
);

let product: LocalProduct;
let exchange: string;
beforeAll(async () => {
  product = await startLocal();
  exchange = createNames(product.namespace).jobs;
});
afterAll(() => product?.dispose());

describe('a program that knows nothing of the kit', () => {
  it('publishes a job with plain amqplib, without an id: it is given one', async () => {
    await run(process.execPath, [script('publish.mjs'), product.brokerUrl, exchange, 'Plain']);
    const mails = await mailsWhere(
      product.mailboxUrl,
      'with that subject',
      ({ subject }) => subject === 'Plain',
    );
    expect(mails).toEqual([expect.objectContaining({ text: 'From plain amqplib' })]);
    expect(mails[0]?.jobId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  it('publishes a job from Python, under an id of its own', async (context) => {
    context.skip(!hasPika, `${PYTHON} cannot import pika (Debian's package: python3-pika)`);
    const id = newJobId();
    await run(PYTHON, [script('publish.py'), product.brokerUrl, exchange, 'Pýthon', id]);
    const mails = await mailsOfJob(product.mailboxUrl, id);
    expect(mails).toEqual([expect.objectContaining({ subject: 'Pýthon', text: 'From Python' })]);
  });
});
