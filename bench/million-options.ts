import { parseArgs } from 'node:util';

/** What may be said on the command line of a bench of a million. */
export interface MillionOptions {
  /** Of jobs, or of letters. */
  readonly count: number;
  readonly url: string;
}

/**
 * @param least that it can be done with
 * @throws TypeError naming the option
 */
export function readMillionOptions(least: number): MillionOptions {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '1000000' },
      url: {
        type: 'string',
        default: process.env['AMQP_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672',
      },
    },
  });
  const count = Number(values.count);
  if (!Number.isInteger(count) || count < least) {
    throw new TypeError(`--count: expected a whole number from ${least}, got ${values.count}`);
  }
  return { count, url: values.url };
}
