import { ConfigInvalidError } from './errors.ts';

/** Words as in event names, or `*` for exactly one word, or `#` for any number of words. */
const PATTERN = /^(?:[a-z0-9_-]+|\*|#)(?:\.(?:[a-z0-9_-]+|\*|#))*$/;
const MAX_LENGTH = 200;
/** RabbitMQ 4.3.5 and later refuse more. */
const MAX_HASHES = 2;

/**
 * Checks a binding pattern for events, such as `order.placed`, `order.*` or `order.#`.
 * @throws ConfigInvalidError naming `pattern`
 */
export function checkEventPattern(pattern: unknown): asserts pattern is string {
  if (typeof pattern !== 'string' || pattern.length > MAX_LENGTH || !PATTERN.test(pattern)) {
    const shown =
      typeof pattern === 'string' ? JSON.stringify(pattern.slice(0, 100)) : typeof pattern;
    throw new ConfigInvalidError(
      'pattern',
      `${shown} must be words joined by dots, with * for one word and # for any number`,
    );
  }
  if (pattern.split('#').length - 1 > MAX_HASHES) {
    throw new ConfigInvalidError('pattern', `${pattern} has more than ${MAX_HASHES} #`);
  }
}
