import { parseArgs } from 'node:util';
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

/** @throws TypeError naming the option */
export function readOptions(defaultRounds: number): BenchOptions {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: String(defaultRounds) },
      only: { type: 'string' },
      scale: { type: 'string', default: '1' },
      resume: { type: 'boolean', default: false },
      url: {
        type: 'string',
        default: process.env['AMQP_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672',
      },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new TypeError(`--rounds: expected a whole number from 1, got ${values.rounds}`);
  }
  const scale = Number(values.scale);
  if (!(scale > 0 && scale <= 1)) {
    throw new TypeError(`--scale: expected a number above 0, at most 1, got ${values.scale}`);
  }
  const { only } = values;
  return {
    url: values.url,
    rounds,
    scale,
    only,
    resume: values.resume,
    select(scenarios) {
      const named = scenarios.filter(({ name }) => name === only);
      if (named.length > 0) return named;
      const selected = scenarios.filter(({ name }) => only === undefined || name.includes(only));
      if (selected.length > 0) return selected;
      const names = scenarios.map(({ name }) => name).join(', ');
      throw new TypeError(`--only: no scenario is named ${only}; there are ${names}`);
    },
  };
}
