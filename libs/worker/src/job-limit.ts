import {
  ConfigInvalidError,
  checkKeySource,
  checkLimitName,
  checkRates,
  LIMIT_OPTIONS,
  type LimitOptions,
  type LimitRate,
  resolveLimitRate,
} from '@warren/contracts';
import type { Limit, Limits } from '@warren/limiter';
import type { HandlerLimit, HandlerRegistration } from './handle.ts';
import { type KeyOf, keyOfOption } from './job-keys.ts';

/** How often the handler of a queue may start. */
export interface JobLimit {
  readonly limit: Limit;
  /** Undefined where all jobs share it. */
  readonly keyOf: KeyOf | undefined;
}

const OPTIONS = [...LIMIT_OPTIONS, 'key', 'limitFor', 'setting'];

/**
 * The limit that a handler asks for, made known: what `handle` says goes before what the definition says.
 * @throws ConfigInvalidError naming the job type or the limit, and the option
 */
export function jobLimitOf(
  { definition, options }: Pick<HandlerRegistration, 'definition' | 'options'>,
  limits: Limits,
): JobLimit | undefined {
  if (definition.limit === undefined && options.limit === undefined) return undefined;
  return naming(definition.type, () => {
    const wanted = merged(definition.limit, options.limit);
    const { key, limitFor, rates = {}, name = definition.type } = wanted;
    const policy = {
      scope: wanted.scope ?? 'global',
      rule: resolveLimitRate(wanted, 'limit', OPTIONS),
      rules: new Map(
        Object.entries(rates).map(([one, rate]) => [one, resolveLimitRate(rate, 'limit.rates')]),
      ),
      limitFor,
    };
    const keyOf = keyOfOption(key ?? wanted.by, 'limit.key');
    if (!keyOf && (limitFor !== undefined || wanted.rates !== undefined)) {
      throw new ConfigInvalidError('limit', 'limits of single keys need `key` or `by`');
    }
    const limit = limits.define(checkLimitName(name), policy);
    const { rate, per, setting } = wanted as HandlerLimit & LimitRate;
    const by = key ? 'function' : wanted.by;
    limit.usedBy({ queue: definition.type, rate: { rate, per }, by, setting });
    return { limit, keyOf };
  });
}

function merged(inDefinition: LimitOptions | undefined, atHandler: unknown): HandlerLimit {
  if (atHandler === undefined) return { ...inDefinition };
  if (typeof atHandler !== 'object' || atHandler === null || Array.isArray(atHandler)) {
    throw new ConfigInvalidError('limit', 'expected an object');
  }
  const unknown = Object.keys(atHandler).find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined) {
    throw new ConfigInvalidError(
      `limit.${unknown}`,
      `unknown option (known: ${OPTIONS.join(', ')})`,
    );
  }
  const wanted: HandlerLimit = { ...inDefinition, ...atHandler };
  if (wanted.key !== undefined && typeof wanted.key !== 'function') {
    throw new ConfigInvalidError('limit.key', 'expected a function');
  }
  if (wanted.limitFor !== undefined && typeof wanted.limitFor !== 'function') {
    throw new ConfigInvalidError('limit.limitFor', 'expected a function');
  }
  if (wanted.setting !== undefined && typeof wanted.setting !== 'string') {
    throw new ConfigInvalidError('limit.setting', 'expected the name of a setting');
  }
  if (wanted.scope !== undefined && wanted.scope !== 'global' && wanted.scope !== 'process') {
    throw new ConfigInvalidError('limit.scope', "'global' or 'process'");
  }
  checkKeySource(wanted.by, 'limit.by');
  checkRates(wanted.rates);
  return wanted;
}

function naming<Result>(type: string, resolve: () => Result): Result {
  try {
    return resolve();
  } catch (error) {
    if (!(error instanceof ConfigInvalidError) || error.setting.startsWith('limit ')) throw error;
    const problem = error.message.slice(error.setting.length + 2);
    throw new ConfigInvalidError(`job ${type}: ${error.setting}`, problem);
  }
}
