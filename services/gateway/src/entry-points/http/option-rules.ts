import { ConfigInvalidError, type Duration, durationToMs, MAX_DELAY_MS } from '@warren/contracts';
import { textProblem } from './header-rules.ts';
import type { FieldError } from './http-error.ts';

/** AMQP keeps a correlation id in a short string: 255 bytes. */
const MAX_CORRELATION_ID_BYTES = 255;
export const MAX_KEY_BYTES = 1_024;
const TOO_FAR = 'at most 24h ahead';

/** Options whose form is right already. */
interface Options {
  readonly id?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly delay?: string | undefined;
  readonly runAt?: string | undefined;
  readonly expiresIn?: string | undefined;
}

/** What is wrong with the texts that are kept as they are. */
export function textErrors({ id, correlationId, idempotencyKey }: Options): FieldError[] {
  return [
    ...fieldError('correlationId', lengthProblem(correlationId, MAX_CORRELATION_ID_BYTES)),
    ...fieldError('idempotencyKey', lengthProblem(idempotencyKey, MAX_KEY_BYTES)),
    ...fieldError(
      'idempotencyKey',
      id !== undefined && idempotencyKey !== undefined
        ? 'makes the id: give one of the two'
        : undefined,
    ),
  ];
}

/** What is wrong with when a job is to be run, or dropped. */
export function timingErrors({ delay, runAt, expiresIn }: Options): FieldError[] {
  const both = delay !== undefined && runAt !== undefined;
  return [
    ...fieldError('delay', delay && delayProblem(delay)),
    ...fieldError('runAt', both ? 'give one of delay and runAt' : runAt && runAtProblem(runAt)),
    ...fieldError('expiresIn', expiresIn && expiryProblem(expiresIn)),
  ];
}

/** The error as a list, if there is one. */
export function fieldError(field: string, message: string | undefined): FieldError[] {
  return message ? [{ field, message }] : [];
}

/** What keeps a text from being kept as it is. */
export function lengthProblem(text: string | undefined, maxBytes: number): string | undefined {
  if (text === undefined) return undefined;
  if (Buffer.byteLength(text) > maxBytes) return `longer than ${maxBytes} bytes`;
  return textProblem(text);
}

function delayProblem(delay: string): string | undefined {
  const ms = millisecondsOf(delay);
  if (typeof ms === 'string') return ms;
  return ms > MAX_DELAY_MS ? TOO_FAR : undefined;
}

function runAtProblem(runAt: string): string | undefined {
  return Date.parse(runAt) - Date.now() > MAX_DELAY_MS ? TOO_FAR : undefined;
}

function expiryProblem(expiresIn: string): string | undefined {
  const ms = millisecondsOf(expiresIn);
  if (typeof ms === 'string') return ms;
  return ms < 1 ? 'expected more than 0ms' : undefined;
}

/** Milliseconds, or what is wrong with the text. */
export function millisecondsOf(duration: string): number | string {
  try {
    return durationToMs(duration as Duration, '');
  } catch (error) {
    if (!(error instanceof ConfigInvalidError)) throw error;
    return error.message.slice(': '.length);
  }
}
