import { ConfigInvalidError } from '@warren/contracts';
import type { HandlerRegistration } from './handle.ts';
import { type KeyOf, keyOfOption } from './job-keys.ts';
import { KeySlots } from './key-slots.ts';

/** How many jobs of each key run at once. */
export interface JobKeySlots {
  readonly keyOf: KeyOf;
  readonly slots: KeySlots;
}

const OPTIONS = ['max', 'by', 'key'];
const HIGHEST = 10_000;

/**
 * How many of each key a handler may run at once, where it says so.
 * @throws ConfigInvalidError naming the job type and the option
 */
export function jobKeySlotsOf({
  definition,
  options: { keyConcurrency },
}: Pick<HandlerRegistration, 'definition' | 'options'>): JobKeySlots | undefined {
  if (keyConcurrency === undefined) return undefined;
  const at = `job ${definition.type}: keyConcurrency`;
  if (typeof keyConcurrency !== 'object' || keyConcurrency === null) {
    throw new ConfigInvalidError(at, 'expected an object with max, and by or key');
  }
  const unknown = Object.keys(keyConcurrency).find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined) {
    throw new ConfigInvalidError(
      `${at}.${unknown}`,
      `unknown option (known: ${OPTIONS.join(', ')})`,
    );
  }
  const { max, by, key } = keyConcurrency;
  if (key !== undefined && typeof key !== 'function') {
    throw new ConfigInvalidError(`${at}.key`, 'expected a function');
  }
  const keyOf = keyOfOption(key ?? by, `${at}.by`);
  if (!keyOf)
    throw new ConfigInvalidError(at, 'needs `by` or `key`, which says whose slots they are');
  if (!Number.isInteger(max) || max < 1 || max > HIGHEST) {
    throw new ConfigInvalidError(
      `${at}.max`,
      `a whole number from 1 to ${HIGHEST}, got ${String(max)}`,
    );
  }
  return { keyOf, slots: new KeySlots(max) };
}
