import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { Fixture } from './fixtures/spawn-fixture.ts';

const running: Fixture[] = [];

function run(env: Record<string, string> = {}, args: string[] = []): Fixture {
  const fixture = new Fixture(env, args);
  running.push(fixture);
  return fixture;
}

afterEach(async () => {
  for (const fixture of running.splice(0)) {
    fixture.child.kill('SIGKILL');
    await fixture.exited;
  }
});

describe('runService as a process', { timeout: 30_000 }, () => {
  test('--help prints every variable and exits 0', async () => {
    const fixture = run({ FIXTURE_SECRET: 'hunter2-hunter2' }, ['--help']);
    expect(await fixture.exited).toMatchObject({ code: 0 });
    expect(fixture.stdout).toContain('FIXTURE_MODE');
    expect(fixture.stdout).toContain('SHUTDOWN_GRACE_SECONDS');
    expect(fixture.stdout).not.toContain('hunter2');
  });

  test('an unknown argument exits 2 and is named', async () => {
    const fixture = run({}, ['--prot', '80']);
    expect(await fixture.exited).toMatchObject({ code: 2 });
    expect(fixture.stderr).toBe('fixture: unknown argument "--prot"; see fixture --help\n');
  });

  test('wrong settings: readable lines on stderr, exit 1, no stack, no secret', async () => {
    const fixture = run({ OPS_PORT: 'http', LOG_LEVEL: 'loud', FIXTURE_SECRET: 'hunter2' });
    expect(await fixture.exited).toMatchObject({ code: 1 });
    expect(fixture.stdout).toBe('');
    expect(fixture.stderr.trimEnd().split('\n')).toEqual([
      'fixture: the configuration is wrong',
      'OPS_PORT: must be a whole number from 0 to 65535, not "http"',
      expect.stringMatching(/^LOG_LEVEL: must be one of trace, .*, not "loud"$/),
      'FIXTURE_SECRET: must be at least 12 characters (its value is secret and not shown)',
    ]);
  });

  test('SIGTERM stops the service, exits 0, and the last line arrives after 1 MB', async () => {
    const fixture = run({ WARREN_NAMESPCE: 'x' });
    await fixture.line('started');
    fixture.child.kill('SIGTERM');
    expect(await fixture.exited).toEqual({ code: 0, signal: null });
    const messages = fixture.lines().map((line) => line['msg']);
    expect(messages.slice(-4)).toEqual(['started', 'stopping', 'service stops', 'stopped']);
    expect(messages[0]).toContain('did you mean WARREN_NAMESPACE?');
  });

  test.each([
    ['uncaught', 'uncaught exception', 'nobody caught this'],
    ['rejection', 'unhandled rejection', 'nobody handled this'],
  ])('%s: a fatal line reaches stdout behind 1 MB, then a stop, exit 1', async (mode, msg, why) => {
    const fixture = run({ FIXTURE_MODE: mode });
    expect(await fixture.exited).toEqual({ code: 1, signal: null });
    const messages = fixture.lines().map((line) => line['msg']);
    expect(messages.slice(-4)).toEqual(['long line', msg, 'service stops', 'stopped']);
    const fatal = fixture.lines().find((line) => line['level'] === 'fatal');
    expect(fatal?.['err']).toMatchObject({ message: why });
  });

  test('a service that cannot start: fatal line, stop, exit 1', async () => {
    const fixture = run({ FIXTURE_MODE: 'start-fails' });
    expect(await fixture.exited).toMatchObject({ code: 1 });
    expect(fixture.lines().map((line) => line['msg'])).toContain('could not start');
  });

  test('a service that says what a person is to do: that as it is, once, and no fatal line', async () => {
    const fixture = run({ FIXTURE_MODE: 'cannot-start' });
    expect(await fixture.exited).toMatchObject({ code: 1 });
    expect(fixture.stderr).toBe('no broker.\nStart one\n');
    expect(fixture.lines().map((line) => line['level'])).not.toContain('fatal');
  });

  test('a second signal exits 1 at once, though the stop hangs', async () => {
    const fixture = run({ FIXTURE_MODE: 'stop-hangs', SHUTDOWN_GRACE_SECONDS: '3600' });
    await fixture.line('started');
    fixture.child.kill('SIGTERM');
    await fixture.line('service stops');
    // What follows the first at once is its echo.
    const impatience = setInterval(() => fixture.child.kill('SIGINT'), 50);
    onTestFinished(() => clearInterval(impatience));
    expect(await fixture.exited).toEqual({ code: 1, signal: null });
  });

  test('a stop that hangs is cut off five seconds after the grace time, exit 1', async () => {
    const fixture = run({ FIXTURE_MODE: 'stop-hangs', SHUTDOWN_GRACE_SECONDS: '0' });
    await fixture.line('started');
    fixture.child.kill('SIGTERM');
    expect(await fixture.exited).toEqual({ code: 1, signal: null });
    expect(fixture.lines().at(-1)).toMatchObject({ level: 'error', msg: 'did not stop cleanly' });
  });

  test('probes answer while the service still starts; a taken port is a wrong setting', async () => {
    const first = run({ FIXTURE_MODE: 'start-hangs', OPS_PORT: '0' });
    const { ops_port: port } = await first.line('starting');
    const probe = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    expect((await probe('/healthz')).status).toBe(200);
    expect((await probe('/readyz')).status).toBe(503);
    expect(await (await probe('/metrics')).text()).toContain('jobs_build_info{service="fixture"');

    const second = run({ OPS_PORT: String(port) });
    expect(await second.exited).toMatchObject({ code: 1 });
    expect(second.stderr).toContain(`OPS_PORT: cannot listen on 127.0.0.1:${port}`);
    expect(second.stderr).not.toContain('    at ');
  });
});
