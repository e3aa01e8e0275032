import {
  freePorts,
  installedServer,
  type PrivateNode,
  startPrivateNode,
} from '@warren/local-broker';
import { dropStore } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { acceptedId, mailJob, mailsOfJob } from './support/http.ts';
import { freeSettings, greetingOf, startLocal } from './support/local-product.ts';
import { LOCAL, Program } from './support/program.ts';

const CONSOLE_DISTANCE = 10_000;

describe.skipIf(!installedServer())('a product whose broker comes up later', () => {
  let amqpPort: number;
  let node: PrivateNode | undefined;
  let program: Program;
  let gatewayUrl: string;
  let early: string;
  const settings = freeSettings();
  beforeAll(async () => {
    const [broker, gateway] = await freePorts(2);
    amqpPort = Number(broker);
    gatewayUrl = `http://127.0.0.1:${gateway}`;
    program = new Program(LOCAL, {
      ...settings,
      PORT: String(gateway),
      AMQP_URL: `amqp://guest:guest@127.0.0.1:${amqpPort}`,
      WARREN_INSTALL: '0',
    });
  });
  afterAll(async () => {
    await program?.stop();
    await node?.stop();
    await dropStore(settings['WARREN_NAMESPACE'] ?? '');
  });

  it('says that it waits, and keeps jobs in its store meanwhile', async () => {
    const line = await program.line(/^Waiting for the broker: /);
    expect(line).toBe(
      `Waiting for the broker: 127.0.0.1:${amqpPort}: connection refused (is the broker running?)`,
    );
    early = await acceptedId(gatewayUrl, mailJob('Early'));
    expect((await fetch(`${gatewayUrl}/readyz`)).status).toBe(503);
    expect((await fetch(`${gatewayUrl}/healthz`)).status).toBe(200);
  });

  it('goes to work by itself once there is one, and names its console', async () => {
    const managementPort = amqpPort + CONSOLE_DISTANCE;
    const plugins = ['rabbitmq_management'];
    node = await startPrivateNode({ amqpPort, managementPort, plugins });
    const { mailboxUrl } = await greetingOf(program);
    expect(program.lines).toContain(`RabbitMQ  http://127.0.0.1:${managementPort}`);
    expect((await fetch(`${gatewayUrl}/readyz`)).status).toBe(200);
    const id = await acceptedId(gatewayUrl, mailJob('In time'));
    for (const one of [early, id]) expect(await mailsOfJob(mailboxUrl, one)).toHaveLength(1);
    expect(program.lines.filter((line) => line.startsWith('Waiting'))).toHaveLength(1);
  });

  it('is told by the next one where the console is', async () => {
    const next = await startLocal({ AMQP_URL: node?.url ?? '' });
    onTestFinished(() => next.dispose());
    expect(next.program.lines).toContain(`RabbitMQ  http://127.0.0.1:${node?.managementPort}`);
  });
});

describe('a product that may not log in', () => {
  it('says so in a line that a person can act on, without the password', async () => {
    const { AMQP_URL = '', WARREN_NAMESPACE = '', ...settings } = freeSettings();
    onTestFinished(() => dropStore(WARREN_NAMESPACE));
    const { host } = new URL(AMQP_URL);
    const program = new Program(LOCAL, {
      ...settings,
      WARREN_NAMESPACE,
      AMQP_URL: `amqp://nobody:hush-hush@${host}`,
    });
    const line = await program.line(/^Waiting for the broker: /);
    expect(line).toContain(`${host} refused user "nobody": wrong user name or password`);
    expect(await program.stop()).toEqual({ code: 0, signal: null });
    expect(program.stdout + program.stderr).not.toContain('hush-hush');
  });
});
