import { useLargerPools } from '../as-services-run.ts';
import { runWarren } from './command.ts';
import { type MemoryFigures, watchMemory } from './peak-memory.ts';

/** A command of `warren` that looks at dead letters, to be run with `--json`. */
export interface LookOrder {
  readonly args: readonly string[];
  readonly url: string;
  readonly namespace: string;
}

/** What it took, and what the command said. */
export interface LookAnswer extends MemoryFigures {
  readonly seconds: number;
  /** The most that the process held, from its start. */
  readonly peakMb: number;
  readonly said: unknown;
}

useLargerPools();
const { args, url, namespace } = JSON.parse(process.argv[2] ?? '{}') as LookOrder;
const endWatch = watchMemory();
const startedAt = performance.now();
const { code, out } = await runWarren([...args, '--json'], url, namespace);
const seconds = (performance.now() - startedAt) / 1_000;
const memory = endWatch();
if (code !== 0) throw new Error(`warren ${args.join(' ')} ended with ${code}`);
const peakMb = process.resourceUsage().maxRSS / 1_024;
const answer: LookAnswer = { seconds, peakMb, ...memory, said: JSON.parse(out) as unknown };
process.stdout.write(`${JSON.stringify(answer)}\n`);
