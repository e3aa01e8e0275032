import { ConfigInvalidError } from './errors.ts';

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/**
 * Checks a circuit breaker's name, which is the value of a label.
 * @throws ConfigInvalidError naming `breaker`
 */
export function checkBreakerName(name: unknown): string {
  if (typeof name === 'string' && NAME.test(name)) return name;
  const shown = JSON.stringify(name)?.slice(0, 80) ?? typeof name;
  throw new ConfigInvalidError(
    'breaker',
    `a name is 1 to 63 of a-z, 0-9, ".", "_" and "-", got ${shown}`,
  );
}
