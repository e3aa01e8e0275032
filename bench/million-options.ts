import { brokerUrl, optionsOf, parse, wholeNumber } from './command-line.ts';

/** What may be said on the command line of a bench of a million. */
export interface MillionOptions {
  /** Of jobs, or of letters. */
  readonly count: number;
  readonly url: string;
}

/** What a bench of a million is. */
export interface MillionProgram {
  /** After `npm run`. */
  readonly name: string;
  /** One sentence. */
  readonly does: string;
  /** That it can be done with. */
  readonly least: number;
}

/** The options of this process; it ends here where help is asked for, or they cannot be used. */
export function millionOptions({ name, does, least }: MillionProgram): MillionOptions {
  return optionsOf({
    name,
    usage: `Usage: npm run ${name} -- [--count N] [--url URL]

${does}

  --count N   how many, from ${least} (default 1000000)
  --url URL   the broker, by default AMQP_URL, else the one on this machine`,
    read: (args) => readMillionOptions(args, least),
  });
}

/**
 * @param least that it can be done with
 * @throws UsageError naming the option
 */
export function readMillionOptions(args: readonly string[], least: number): MillionOptions {
  const { count, url } = parse(args, {
    count: { type: 'string', default: '1000000' },
    url: { type: 'string', default: brokerUrl(process.env) },
  });
  return { count: wholeNumber('--count', count, least), url };
}
