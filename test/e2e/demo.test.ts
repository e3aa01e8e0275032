import { AmqpAdmin, sharedBrokerUrl, sharedDatabaseUrl } from '@warren/testing';
import { afterEach, expect, it } from 'vitest';
import { FATES, NIGHT } from '../../demo/stories.ts';
import { normalise, readTranscript } from '../../demo/transcript.ts';
import { Program } from './support/program.ts';

const DEMO = ['--import', 'tsx', 'demo/run.ts'];

let program: Program;
const run = (args: readonly string[], url: string) => {
  program = new Program([...DEMO, ...args], {
    AMQP_URL: url,
    TEST_DATABASE_URL: sharedDatabaseUrl(),
  });
  return program.exited;
};
afterEach(() => program.stop('SIGKILL'));

const namespaceIn = (text: string): string => /named (demo-[0-9a-f]+)\./.exec(text)?.[1] ?? '';

/** Which of an installation's queues are at the broker; of streams as well, those that the history makes. */
async function queuesAtBroker(namespace: string): Promise<string[]> {
  const admin = await AmqpAdmin.connect(sharedBrokerUrl());
  try {
    const found: string[] = [];
    for (const name of ['email.send', 'retry.1s', 'jobs.history', 'jobs.control', 'jobs.cancels']) {
      if ((await admin.depth(`${namespace}.${name}`)) !== undefined) found.push(name);
    }
    return found;
  } finally {
    await admin.close();
  }
}

it('ends well, says what the README shows, and leaves nothing behind', async () => {
  expect(await run([], sharedBrokerUrl())).toEqual({ code: 0, signal: null });
  const [head, , ...lines] = program.stdout.trimEnd().split('\n');
  expect(lines.map(normalise)).toEqual(readTranscript(FATES).map(normalise));
  expect(program.stderr).toBe('');
  const namespace = namespaceIn(head ?? '');
  expect(namespace).toMatch(/^demo-/);
  expect(await queuesAtBroker(namespace)).toEqual([]);
});

it('shows a night with dead letters as docs/dead-letters.md does', async () => {
  expect(await run(['--night'], sharedBrokerUrl())).toEqual({ code: 0, signal: null });
  const [, , ...lines] = program.stdout.trimEnd().split('\n');
  expect(lines.map(normalise)).toEqual(readTranscript(NIGHT).map(normalise));
}, 180_000);

it('cleans up when it is stopped in the middle', async () => {
  const exited = run([], sharedBrokerUrl());
  const namespace = namespaceIn(await program.line(/^Everything at the broker/));
  await program.line(/published/);
  expect(await queuesAtBroker(namespace)).toContain('email.send');
  await program.stop('SIGTERM');
  expect(await exited).toEqual({ code: 1, signal: null });
  expect(program.stdout).toContain('stopped by SIGTERM');
  expect(await queuesAtBroker(namespace)).toEqual([]);
});

it('fails where the broker does not answer, and says so', async () => {
  expect(await run([], 'amqp://127.0.0.1:1')).toEqual({ code: 1, signal: null });
  expect(program.stdout).toContain('the broker cannot be reached: connect ECONNREFUSED');
});

it('refuses an option that it does not know', async () => {
  expect(await run(['--fast'], sharedBrokerUrl())).toEqual({ code: 2, signal: null });
  expect(program.stderr).toContain('--transcript');
});
