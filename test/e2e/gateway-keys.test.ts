import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalog } from '@warren/catalog';
import { sharedBrokerUrl } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../integration/support/command.ts';
import { type GatewayProcess, startGateway, takeIds } from './support/gateway.ts';
import { mailJob, postJob } from './support/http.ts';
import { GATEWAY, Program } from './support/program.ts';

const brokerUrl = sharedBrokerUrl();

interface Made {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly key: string;
  readonly entry: string;
}

/** `warren keys new`, where nothing is set and no broker is. */
async function newKey(...args: readonly string[]): Promise<Made> {
  const command = ['keys', 'new', ...args, '--json'];
  const env = { AMQP_URL: 'no url at all' };
  const { code, stdout, stderr } = await runCommand(command, { env, jobs: catalog });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Made;
}

describe('warren keys new', () => {
  it('shows a key and its entry, for people and for programs', async () => {
    const made = await newKey('shop', '--scope', 'read', '--scope', 'publish');
    expect(made).toMatchObject({ name: 'shop', scopes: ['read', 'publish'] });
    expect(made.key).toMatch(/^warren_[\w-]{43}$/);
    expect(made.entry).toMatch(/^shop:publish\+read:[0-9a-f]{64}$/);
    const args = ['keys', 'new', 'ops', '--scope', 'admin'];
    const { stdout } = await runCommand(args, { env: {}, jobs: catalog });
    expect(stdout).toMatch(/^ {2}warren_[\w-]{43}$/m);
    expect(stdout).toMatch(/^ {2}ops:admin:[0-9a-f]{64}$/m);
  });

  it.each([
    [['keys', 'new', 'ops'], '--scope'],
    [['keys', 'new', 'ops', '--scope', 'root'], 'publish, read, admin'],
    [['keys', 'new', 'Ops!', '--scope', 'read'], 'name: must be'],
    [['keys', 'new', '--scope', 'read'], 'name'],
  ])('2 for %j', async (args, text) => {
    const { code, stdout, stderr } = await runCommand(args, { env: {}, jobs: catalog });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(text);
  });
});

describe('a gateway with keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'warren-keys-'));
  let shop: Made;
  let board: Made;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    shop = await newKey('shop', '--scope', 'publish');
    board = await newKey('board', '--scope', 'read');
    const file = join(folder, 'keys');
    writeFileSync(file, `# dashboards\n${board.entry}\n`);
    gateway = await startGateway(brokerUrl, {
      HOST: '0.0.0.0',
      WARREN_API_KEYS: shop.entry,
      WARREN_API_KEYS_FILE: file,
      WARREN_API_KEY_RATE: '3/1h',
      LOG_LEVEL: 'debug',
    });
  });
  afterAll(async () => {
    await gateway?.dispose();
    rmSync(folder, { recursive: true });
  });

  const bearer = ({ key }: Pick<Made, 'key'>) => ({ authorization: `Bearer ${key}` });
  const status = async (path: string, headers = {}) =>
    (await fetch(`${gateway.url}${path}`, { headers })).status;

  it('takes jobs of those who may publish, up to their rate, and lets nobody else in', async () => {
    const job = mailJob('With a key');
    const refused = await postJob(gateway.url, job);
    expect([refused.status, refused.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect((await postJob(gateway.url, job, bearer(board))).status).toBe(403);
    const ids = new Set<string>();
    for (let request = 0; request < 3; request += 1) {
      const answer = await postJob(gateway.url, job, bearer(shop));
      expect(answer.status).toBe(202);
      ids.add(String(answer.body.id));
    }
    const late = await postJob(gateway.url, job, bearer(shop));
    expect([late.status, late.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(1_000);
    expect(await takeIds(brokerUrl, gateway.queue)).toEqual(ids);
  });

  it('shows metrics to those who may read, and probes and its document to anybody', async () => {
    expect(await status('/metrics')).toBe(401);
    expect(await status('/metrics', bearer(board))).toBe(200);
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs']) {
      expect(await status(path), path).toBe(200);
    }
  });

  it('says who came, and never with what', async () => {
    await gateway.program.line(/"status":429.*"caller":"shop"/);
    const { stdout, stderr } = gateway.program;
    for (const { key, entry } of [shop, board]) {
      expect(stdout + stderr).not.toContain(key);
      expect(stdout + stderr).not.toContain(entry.split(':').at(-1));
    }
    expect(stdout).not.toContain('callers are not authenticated');
  });
});

it('a gateway with a wrong entry does not start, and says which one without showing it', async () => {
  const { entry } = await newKey('ops', '--scope', 'admin');
  const [, , hash = ''] = entry.split(':');
  const program = new Program(GATEWAY, {
    PORT: '0',
    WARREN_API_KEYS: entry.replace('admin', 'root'),
  });
  const { code } = await program.exited;
  const said = program.stdout + program.stderr;
  expect(code).not.toBe(0);
  expect(said).toContain('WARREN_API_KEYS: must be');
  expect(said).toContain('entry 1 (ops) has "root" for a scope');
  expect(said).not.toContain(hash);
});
