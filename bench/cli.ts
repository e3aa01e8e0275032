import { brokerUrl, meant, parse, UsageError, wholeNumber } from './command-line.ts';
import type { Scenario } from './compare.ts';

/** What may be said on the command line of a bench. */
export interface BenchOptions {
  readonly url: string;
  readonly rounds: number;
  /** The share of their jobs that the replay and comparisons with other systems are run with, where a machine is slow. */
  readonly scale: number;
  /** Whether to go on with the run whose report is there, and to leave out what it has shown. */
  readonly resume: boolean;
  /** What is to be run alone: a part of its name. */
  readonly only: string | undefined;
  /** Those that `only` means: the one of that name, else all whose names contain it; all without it. */
  select(scenarios: readonly Scenario[]): readonly Scenario[];
}

/** What a bench has to say of its options. */
export interface BenchUsage {
  readonly defaultRounds: number;
  /** Of what `--only` may name; some say how many jobs they are of. */
  names(scale: number): readonly string[];
}

/** @throws UsageError naming the option */
export function readOptions(
  args: readonly string[],
  { defaultRounds, names }: BenchUsage,
): BenchOptions {
  const values = parse(args, {
    rounds: { type: 'string', default: String(defaultRounds) },
    only: { type: 'string' },
    scale: { type: 'string', default: '1' },
    resume: { type: 'boolean', default: false },
    url: { type: 'string', default: brokerUrl(process.env) },
  });
  const rounds = wholeNumber('--rounds', values.rounds);
  const scale = Number(values.scale);
  if (!(scale > 0 && scale <= 1)) {
    throw new UsageError(`--scale: expected a number above 0, at most 1, got ${values.scale}`);
  }
  const { only, resume, url } = values;
  // Before anything is connected to, or started.
  meant(
    only,
    names(scale).map((name) => ({ name })),
  );
  return { url, rounds, scale, only, resume, select: (scenarios) => meant(only, scenarios) };
}

/** What `--help` prints, but for what the bench is for. */
export function optionLines({ defaultRounds, names }: BenchUsage): string {
  return `  --rounds N    how often each side runs (default ${defaultRounds})
  --only NAME   one scenario by its name, or all by a part of it
  --scale S     the share of their jobs, at most 1, for the replay, what waits, and other systems
  --resume      goes on with the run whose report is there, and tries again what failed in it
  --url URL     the broker, by default AMQP_URL, else the one on this machine

Scenarios:
${names(1)
  .map((name) => `  ${name}`)
  .join('\n')}`;
}
