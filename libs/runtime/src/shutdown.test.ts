import type { Logger } from '@warren/telemetry';
import { createLogger } from '@warren/telemetry';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createShutdown } from './shutdown.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function create(stop: () => Promise<void>) {
  const lines: { level: string; msg: string }[] = [];
  const logger: Logger = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const exit = vi.fn();
  return { shutdown: createShutdown({ logger, stop, limitMs: 1_000, exit }), exit, lines };
}

const never = () => new Promise<void>(() => undefined);
const turn = () => vi.advanceTimersByTimeAsync(0);

describe('createShutdown', () => {
  test('a signal stops once and exits 0', async () => {
    const stop = vi.fn(async () => undefined);
    const { shutdown, exit } = create(stop);
    expect(shutdown.begun).toBe(false);
    shutdown.onSignal('SIGTERM');
    expect(shutdown.begun).toBe(true);
    await turn();
    expect(stop).toHaveBeenCalledOnce();
    expect(exit).toHaveBeenCalledExactlyOnceWith(0);
  });

  test('a second signal exits 1 at once', () => {
    const { shutdown, exit } = create(never);
    shutdown.onSignal('SIGTERM');
    vi.advanceTimersByTime(300);
    shutdown.onSignal('SIGINT');
    expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  });

  test('the same request, told by the parent as well, is one', () => {
    const { shutdown, exit } = create(never);
    shutdown.onSignal('SIGTERM');
    vi.advanceTimersByTime(100);
    shutdown.onSignal('SIGTERM');
    expect(exit).not.toHaveBeenCalled();
  });

  test('a stop that fails exits 1', async () => {
    const { shutdown, exit, lines } = create(() => Promise.reject(new Error('stuck')));
    shutdown.onSignal('SIGTERM');
    await turn();
    expect(exit).toHaveBeenCalledExactlyOnceWith(1);
    expect(lines.at(-1)).toMatchObject({ level: 'error', err: { message: 'stuck' } });
  });

  test('a stop that throws instead of rejecting exits 1', async () => {
    const { shutdown, exit } = create(() => {
      throw new Error('at once');
    });
    shutdown.onSignal('SIGTERM');
    await turn();
    expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  });

  test('a stop that hangs exits 1 after its limit', async () => {
    const { shutdown, exit } = create(never);
    shutdown.onSignal('SIGTERM');
    await vi.advanceTimersByTimeAsync(999);
    expect(exit).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  });

  test('an unhandled error is logged as fatal, stops once, and exits 1', async () => {
    const stop = vi.fn(async () => undefined);
    const { shutdown, exit, lines } = create(stop);
    shutdown.onFatal(new Error('one'), 'uncaught exception');
    shutdown.onFatal(new Error('two'), 'uncaught exception');
    await turn();
    expect(stop).toHaveBeenCalledOnce();
    expect(exit).toHaveBeenCalledExactlyOnceWith(1);
    expect(lines.filter(({ level }) => level === 'fatal')).toHaveLength(2);
  });

  test('an error while stopping for a signal turns the code to 1', async () => {
    const { shutdown, exit } = create(async () => shutdown.onFatal('odd', 'unhandled rejection'));
    shutdown.onSignal('SIGTERM');
    await turn();
    expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  });

  test('one signal after an unhandled error does not cut the stop short', () => {
    const { shutdown, exit } = create(never);
    shutdown.onFatal(new Error('one'), 'uncaught exception');
    shutdown.onSignal('SIGTERM');
    expect(exit).not.toHaveBeenCalled();
  });
});
