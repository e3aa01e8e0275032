import { startTracing } from '@warren/runtime';
import { createLogger, traceWork } from '@warren/telemetry';
import type { Admin } from './open-session.ts';

/** Runs a command within a span, where spans are collected: what it replays is linked with it. */
export async function withTraces<T>(
  { config, shell }: Admin,
  argv: readonly string[],
  command: () => Promise<T>,
): Promise<T> {
  const destination = { write: shell.err };
  const logger = createLogger({ service: 'warren', level: 'warn', destination });
  const tracing = await startTracing('warren', config, logger);
  try {
    return await traceWork(`warren ${wordsOf(argv)}`, command);
  } finally {
    await tracing?.stop();
  }
}

/** The names of the commands, without what they are about. */
function wordsOf(argv: readonly string[]): string {
  const words = argv.slice(0, 2).filter((word) => /^[a-z]+$/.test(word));
  return words.join(' ');
}
