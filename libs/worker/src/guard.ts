import type { Breaker, Breakers } from '@warren/breaker';
import { ConfigInvalidError, type Job } from '@warren/contracts';
import type { HandlerRegistration } from './handle.ts';

/** The breaker around a whole handler. */
export interface Guard {
  readonly breaker: Breaker;
  /** Where each job has a circuit of its own kind, such as one per host. */
  readonly keyOf?: ((job: Job) => string) | undefined;
}

/**
 * The breaker that a handler asks for, made known.
 * @throws ConfigInvalidError naming the breaker and the option
 */
export function guardOf(
  { definition, options }: Pick<HandlerRegistration, 'definition' | 'options'>,
  breakers: Breakers,
): Guard | undefined {
  const wanted = options.breaker ?? definition.breaker;
  const guard = wanted === undefined ? undefined : defined(wanted, breakers);
  guard?.breaker.usedBy(definition.type);
  return guard;
}

function defined(
  wanted: NonNullable<HandlerRegistration['options']['breaker']>,
  breakers: Breakers,
): Guard {
  if (typeof wanted === 'string') return { breaker: breakers.define(wanted) };
  const { name, key: keyOf, ...breakerOptions } = wanted;
  if (keyOf !== undefined && typeof keyOf !== 'function') {
    throw new ConfigInvalidError(`breaker ${name}: key`, 'expected a function');
  }
  return { breaker: breakers.define(name, breakerOptions), keyOf };
}
