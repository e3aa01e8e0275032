import { ConfigInvalidError } from './errors.ts';

/** Endings and beginnings that the broker topology needs for itself. */
const RESERVED_SUFFIXES = ['.high', '.low', '.suspect', '.dead'];
const RESERVED_PREFIXES = ['retry.', 'jobs.', 'events.', 'amq.'];
const RESERVED_NAMES = ['jobs', 'events', 'retry', 'amq'];

/** Words of lower-case letters, digits, `_` and `-`, joined by dots. */
const PATTERN = /^[a-z][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)*$/;

/** Queue names get endings and a namespace added and must stay below AMQP's 255 bytes. */
const MAX_LENGTH = 128;

/**
 * Checks a job type's name: it is a routing key, a queue name and a metric label.
 * @throws ConfigInvalidError when it cannot serve as all of them
 */
export function checkJobTypeName(type: string): void {
  const problem = problemOf(type);
  if (problem) throw new ConfigInvalidError('type', `${JSON.stringify(type)} ${problem}`);
}

function problemOf(type: unknown): string | undefined {
  if (typeof type !== 'string' || !PATTERN.test(type)) {
    return 'must be lower-case words joined by dots, such as "email.send"';
  }
  if (type.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (RESERVED_NAMES.includes(type)) return 'is reserved';
  const suffix = RESERVED_SUFFIXES.find((ending) => type.endsWith(ending));
  if (suffix) return `may not end in "${suffix}" (reserved)`;
  const prefix = RESERVED_PREFIXES.find((beginning) => type.startsWith(beginning));
  return prefix ? `may not begin with "${prefix}" (reserved)` : undefined;
}
