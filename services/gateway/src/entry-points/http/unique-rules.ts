import { MAX_DELAY_MS } from '@warren/contracts';
import type { UniqueOptions } from '../../domain/accept-job.ts';
import {
  LONGEST_WAIT_MS,
  type UniqueOption,
  uniqueOptionOf,
} from '../../domain/outbox/uniqueness-of.ts';
import type { FieldError } from './http-error.ts';
import { fieldError, lengthProblem, MAX_KEY_BYTES, millisecondsOf } from './option-rules.ts';

const LONGEST_PERIOD_MS = 365 * 86_400_000;

/** Options whose form is right already. */
type Options = {
  readonly [Name in keyof UniqueOptions]?: string | undefined;
} & {
  readonly [Name in 'id' | 'idempotencyKey' | 'delay' | 'runAt' | 'expiresIn']?: string | undefined;
};

/** What is wrong with the options by which requests are one job. */
export function uniqueErrors(options: Options): FieldError[] {
  const option = uniqueOptionOf(options);
  const { uniqueKey, maxWait, debounce, throttle } = options;
  if (option === undefined) {
    return [
      ...fieldError('uniqueKey', uniqueKey && 'needs one of unique, throttle and debounce'),
      ...fieldError('maxWait', maxWait && 'needs debounce'),
    ];
  }
  return [
    ...combinationErrors(option, options),
    ...fieldError('throttle', throttle && spanProblem(throttle, LONGEST_PERIOD_MS, '365d')),
    ...fieldError('debounce', debounce && spanProblem(debounce, MAX_DELAY_MS, '24h')),
    ...fieldError('maxWait', maxWait && maxWaitProblem(maxWait, debounce)),
    ...fieldError('uniqueKey', keyProblem(options)),
  ];
}

/** An id that came before would never be under way again; what is debounced waits by that, and by nothing else. */
function combinationErrors(option: UniqueOption, options: Options): FieldError[] {
  const others = (['throttle', 'debounce'] as const).filter(
    (other) => other !== option && options[other] !== undefined,
  );
  const refused: (keyof Options)[] = ['id', 'idempotencyKey'];
  if (option === 'debounce') refused.push('delay', 'runAt');
  return [
    ...others.flatMap((other) => fieldError(other, 'give one of unique, throttle and debounce')),
    ...refused
      .filter((name) => options[name] !== undefined)
      .flatMap((name) => fieldError(name, `cannot be combined with ${option}`)),
    ...fieldError('expiresIn', expiryProblem(options)),
  ];
}

function expiryProblem({ debounce, expiresIn }: Options): string | undefined {
  if (debounce === undefined || expiresIn === undefined) return undefined;
  const [wait, life] = [millisecondsOf(debounce), millisecondsOf(expiresIn)];
  if (typeof wait === 'string' || typeof life === 'string') return undefined;
  return life <= wait ? 'is over before the debounced job may run' : undefined;
}

function maxWaitProblem(maxWait: string, debounce: string | undefined): string | undefined {
  if (debounce === undefined) return 'needs debounce';
  const [most, wait] = [millisecondsOf(maxWait), millisecondsOf(debounce)];
  if (typeof most === 'string') return most;
  if (most > LONGEST_WAIT_MS) return 'at most 7d';
  return typeof wait === 'number' && most < wait ? 'is shorter than debounce' : undefined;
}

function spanProblem(duration: string, maxMs: number, most: string): string | undefined {
  const ms = millisecondsOf(duration);
  if (typeof ms === 'string') return ms;
  if (ms < 1) return 'expected more than 0ms';
  return ms > maxMs ? `at most ${most}` : undefined;
}

function keyProblem({ uniqueKey, debounce }: Options): string | undefined {
  if (uniqueKey !== undefined) return lengthProblem(uniqueKey, MAX_KEY_BYTES);
  if (debounce === undefined) return undefined;
  return 'is required with debounce: another payload would be another job';
}
