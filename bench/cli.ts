import { parseArgs } from 'node:util';
import type { Scenario } from './compare.ts';

/** What may be said on the command line of a bench. */
export interface BenchOptions {
  readonly url: string;
  readonly rounds: number;
  /** What is to be run alone: a part of its name. */
  readonly only: string | undefined;
  /** Those that `only` means; all without it. */
  select(scenarios: readonly Scenario[]): readonly Scenario[];
}

/** @throws TypeError naming the option */
export function readOptions(defaultRounds: number): BenchOptions {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: String(defaultRounds) },
      only: { type: 'string' },
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
  const { only } = values;
  return {
    url: values.url,
    rounds,
    only,
    select(scenarios) {
      const selected = scenarios.filter(({ name }) => only === undefined || name.includes(only));
      if (selected.length > 0) return selected;
      const names = scenarios.map(({ name }) => name).join(', ');
      throw new TypeError(`--only: no scenario is named ${only}; there are ${names}`);
    },
  };
}
