import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type ConnectJobsOptions, connectJobs, type Jobs } from '@warren/client';
import { canStartPrivateNode, type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { anyJob, endingOf, eventually, quietTelemetry, unusedPort } from '@warren/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('probe.run');
const VHOST = 'a/b %ü';
const USERS = [
  ['p@s:s/#?%$&+ user', 'p@s:s/#?%$&+ '],
  ['jürgen漢', 'pä€ss漢'],
  ['100%', '%41%'],
  ['quotes', `"'\\\`;|<>{}[]^~`],
] as const;
const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

let node: PrivateNode;
beforeAll(async () => {
  const [port, port6] = [await unusedPort(), await unusedPort()];
  const extraConfig = hasIpv6 ? `listeners.tcp.2 = ::1:${port6}` : '';
  node = await startPrivateNode({ amqpPort: port, extraConfig });
  ipv6Port = hasIpv6 ? port6 : port;
  await node.ctl('add_vhost', VHOST);
  await Promise.all([...USERS, ['corrected', 'old'] as const].map(addUser));
}, 90_000);
afterAll(async () => node?.stop());
let ipv6Port = 0;

const clients: Jobs[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function addUser([name, password]: readonly [string, string]): Promise<void> {
  await node.ctl('add_user', name, password);
  await node.ctl('set_permissions', '-p', VHOST, name, '.*', '.*', '.*');
}

async function connect(
  connection: ConnectJobsOptions['connection'],
  publish: ConnectJobsOptions['publish'] = { timeoutMs: 20_000, maxWaitMs: 20_000 },
) {
  const telemetry = quietTelemetry();
  const options = { connection, service: 'test', jobs: [job], publish, ...telemetry };
  const jobs = await connectJobs(options);
  clients.push(jobs);
  return { jobs, lines: telemetry.lines };
}

/** The command, with the credentials that a service of the same installation has. */
const listDead = (env: Record<string, string>) =>
  runCommand(['dead', 'list', job.type], { env: { ...env, WARREN_HISTORY: 'false' }, jobs: [job] });

const addressOf = (port: number, host = '127.0.0.1') => `amqp://${host}:${port}`;
/** What readiness says about the connection, once it contains `text`. */
const problemWith = (jobs: Jobs, text: string) =>
  eventually(`a problem that says ${text}`, () => {
    const problem = jobs.readiness().checks['broker'];
    return problem?.includes(text) ? problem : undefined;
  });

describe.skipIf(!canStartPrivateNode())('credentials and vhosts of every kind of character', () => {
  it.each(USERS)('are taken as settings: %s', async (username, password) => {
    const urls = [addressOf(node.amqpPort)];
    const { jobs } = await connect({ urls, username, password, vhost: VHOST });
    expect(await endingOf(jobs.publish(job, 1))).toBe('ok');
    const given = { AMQP_USERNAME: username, AMQP_PASSWORD: password, AMQP_VHOST: VHOST };
    const listed = await listDead({ AMQP_URL: String(urls), ...given });
    expect(listed).toMatchObject({ code: 0, stderr: '' });
  });

  it.each(USERS)('are taken from the URL, percent-encoded: %s', async (username, password) => {
    const [user, secret, vhost] = [username, password, VHOST].map(encodeURIComponent);
    const url = `amqp://${user}:${secret}@127.0.0.1:${node.amqpPort}/${vhost}`;
    const { jobs } = await connect({ urls: [url] });
    expect(await endingOf(jobs.publish(job, 1))).toBe('ok');
    expect(await listDead({ AMQP_URL: url })).toMatchObject({ code: 0, stderr: '' });
  });

  it('a vhost that is not there is named', async () => {
    const { jobs } = await connect({ urls: [`${node.url}/no%2Fsuch%20ü`] });
    expect(await problemWith(jobs, 'vhost')).toContain('"no/such ü"');
  });

  it('a wrong password is told without showing any, and is tried again until it is right', async () => {
    const password = 'not yet/right@all';
    const { jobs, lines } = await connect({
      urls: [`amqp://corrected:in-the-url@127.0.0.1:${node.amqpPort}`],
      password,
      vhost: VHOST,
    });
    const problem = await problemWith(jobs, 'refused user "corrected"');
    expect(problem).toContain(`127.0.0.1:${node.amqpPort}`);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    await node.ctl('change_password', 'corrected', password);
    expect(await endingOf(jobs.publish(job, 1))).toBe('ok');
    expect(jobs.readiness().ready).toBe(true);
    const told = JSON.stringify(lines) + problem;
    for (const secret of [password, encodeURIComponent(password), 'in-the-url']) {
      expect(told).not.toContain(secret);
    }
  });
});

describe.skipIf(!canStartPrivateNode())('addresses', () => {
  it('localhost is found, whichever family it means first', async () => {
    const { jobs } = await connect({ urls: [addressOf(node.amqpPort, 'localhost')] });
    expect(await endingOf(jobs.publish(job, 1))).toBe('ok');
  });

  it('[::1] is reached, or told as the address that was tried', async () => {
    const { jobs } = await connect({ urls: [addressOf(ipv6Port, '[::1]')] });
    if (hasIpv6) expect(await endingOf(jobs.publish(job, 1))).toBe('ok');
    else expect(await problemWith(jobs, `[::1]:${ipv6Port}`)).toMatch(/refused|address/i);
  });

  it('of several hosts, one that is dead does not matter, whichever is tried first', async () => {
    const dead = addressOf(await unusedPort());
    const urls = [dead, node.url, dead];
    const publishing = Array.from({ length: 6 }, async () => {
      const { jobs } = await connect({ urls });
      return endingOf(jobs.publish(job, 1));
    });
    expect(new Set(await Promise.all(publishing))).toEqual(new Set(['ok']));
  });

  it('a host name that does not exist is named', async () => {
    const { jobs } = await connect({ urls: [addressOf(5672, 'no-such-host.invalid')] });
    expect(await problemWith(jobs, 'no-such-host.invalid:5672')).toContain('host name not found');
  });

  it('another kind of server is not taken for a broker', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {}).resume();
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    const port = await unusedPort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    try {
      const { jobs } = await connect({ urls: [addressOf(port)] }, { maxWaitMs: 200 });
      expect(await endingOf(jobs.publish(job, 1))).toBe('BROKER_UNAVAILABLE');
      expect(await problemWith(jobs, `127.0.0.1:${port}`)).toMatch(/AMQP/);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe.skipIf(!canStartPrivateNode())('the frame size', () => {
  it('below what brokers take is refused at once, by name', async () => {
    await expect(connect({ urls: [`${node.url}?frameMax=4096`] })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      setting: 'AMQP_URL',
      message: expect.stringMatching(/frameMax=4096.*8192/),
    });
  });

  it('at the smallest carries large payloads, and headers up to it', async () => {
    const { jobs, lines } = await connect({ urls: [`${node.url}?frameMax=8192`] });
    const headers = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`h${n}`, 'x'.repeat(1_000)]),
    );
    const publishing = [
      jobs.publish(job, 'x'.repeat(300_000)),
      jobs.publish(job, 1, { headers }),
      jobs.publish(job, 'x'.repeat(300_000)),
    ];
    expect(await Promise.all(publishing.map(endingOf))).toEqual(['ok', 'HEADER_INVALID', 'ok']);
    expect(lines.filter(({ msg }) => String(msg).includes('lost the connection'))).toEqual([]);
  });
});
