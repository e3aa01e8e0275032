import { ConfigInvalidError, checkKeySource, type Job } from '@warren/contracts';
import type { Logger } from '@warren/telemetry';

/** The key of a job, such as its tenant. It may throw. */
export type KeyOf = (job: Job) => unknown;

/**
 * What a text in a definition means: a path in the payload, or a header.
 * @throws ConfigInvalidError naming the option
 */
export function keyOfSource(source: string, name: string): KeyOf {
  checkKeySource(source, name);
  if (source.startsWith('header:')) {
    const header = source.slice('header:'.length);
    return ({ headers }) => (Object.hasOwn(headers, header) ? headers[header] : undefined);
  }
  const path = source.split('.');
  return ({ payload }) => path.reduce<unknown>(fieldOf, payload);
}

/** @throws ConfigInvalidError naming the option */
export function keyOfOption(option: unknown, name: string): KeyOf | undefined {
  if (option === undefined) return undefined;
  if (typeof option === 'function') return option as KeyOf;
  if (typeof option === 'string') return keyOfSource(option, name);
  throw new ConfigInvalidError(name, 'expected a function, a path in the payload, or a header');
}

/** As a text; jobs without one share the empty one. Never throws: a handler is better placed to say what is wrong with a job. */
export function keyIn(keyOf: KeyOf, job: Job, logger: Logger): string {
  try {
    const key = keyOf(job);
    if (typeof key === 'string') return key;
    if (key === undefined || key === null) return '';
    if (typeof key === 'number' || typeof key === 'boolean') return String(key);
    throw new TypeError('the key of a job must be a text or a number');
  } catch (error) {
    logger.error({ err: error, job_id: job.id, queue: job.queue }, 'no key');
    return '';
  }
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
