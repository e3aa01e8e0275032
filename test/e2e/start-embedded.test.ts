import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalog } from '@warren/catalog';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../integration/support/command.ts';
import { freeSettings, type LocalProduct, startLocal } from './support/local-product.ts';
import { LOCAL, Program } from './support/program.ts';

describe('while the start command has the embedded store', () => {
  let dataDir: string;
  let product: LocalProduct;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'warren-embedded-'));
    product = await startLocal({ DATABASE_URL: '', WARREN_DATA_DIR: dataDir });
  });
  afterAll(async () => {
    await product?.dispose();
    await rm(dataDir, { recursive: true });
  });

  const warren = (...args: string[]) => {
    const { brokerUrl: AMQP_URL, namespace: WARREN_NAMESPACE } = product;
    const env = { AMQP_URL, WARREN_NAMESPACE, WARREN_DATA_DIR: dataDir };
    return runCommand(args, { env, jobs: catalog });
  };

  it.each([
    ['jobs', 'list'],
    ['jobs', 'show', 'j'],
    ['store', 'rebuild'],
  ])('warren %s %s says where the same is told', async (...args) => {
    const { code, stderr } = await warren(...args);
    expect(code).toBe(3);
    expect(stderr).toContain(
      `: ask its gateway, such as curl ${product.gatewayUrl}/v1/jobs, or stop it first; several processes`,
    );
  });

  it('a second one ends at once, and says in one line who is there', async () => {
    const { DATABASE_URL: _, ...settings } = freeSettings();
    const second = new Program(LOCAL, { ...settings, WARREN_DATA_DIR: dataDir });
    expect(await second.exited).toMatchObject({ code: 1 });
    expect(second.stdout).toBe('');
    expect(second.stderr.split('\n')).toEqual([
      expect.stringMatching(/^Warren runs here already: the process with id \d+ has /),
      '',
    ]);
    expect(second.stderr).toContain(product.gatewayUrl);
  });

  it('warren health says who has it', async () => {
    const { stdout } = await warren('health');
    expect(stdout).toMatch(
      /^ok +store +embedded, in \S+, in use by the process with id \d+, whose/m,
    );
    await product.program.stop();
    expect((await warren('health')).stdout).toMatch(/^ok +store .*no process has it open$/m);
  });
});
