import { setMaxListeners } from 'node:events';
import { parseArgs } from 'node:util';
import { askOnTerminal, obtainBroker } from '@warren/local-broker';
import { runDemo } from './run-demo.ts';
import { FATES, NIGHT } from './stories.ts';
import { describeError } from './support/describe-error.ts';
import { writeTranscript } from './transcript.ts';

/** From the moment when there is a broker. Then the demo is given up and cleans up. */
const LIMIT_MS = 120_000;
/** Then it ends, even if the broker no longer answers. */
const HARD_LIMIT_MS = 145_000;

const USAGE = `usage: npm run demo [-- --night] [--transcript]

Shows on a real broker what becomes of jobs that fail, each thing in a few seconds.
  --night       shows instead what an operator does about dead letters; needs the PostgreSQL that tests use
  --transcript  puts what it printed into its document, if all was as expected`;

const print = (line: string) => console.log(line);

/** @returns the exit code */
async function main(): Promise<number> {
  const options = readOptions();
  if (!options) return 2;
  const story = options.night ? NIGHT : FATES;
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => interrupted.abort(new Error(`stopped by ${name}`)));
  }
  const broker = await obtainBroker({
    env: process.env,
    ask: askOnTerminal(),
    log: print,
    keepData: false,
  });
  try {
    const limit = AbortSignal.timeout(LIMIT_MS);
    const signal = AbortSignal.any([interrupted.signal, limit]);
    setMaxListeners(0, signal);
    setTimeout(giveUp, HARD_LIMIT_MS).unref();
    const { asExpected, transcript } = await runDemo(story.steps, broker.url, signal, print);
    if (asExpected && options.transcript) writeTranscript(story, transcript);
    return asExpected ? 0 : 1;
  } finally {
    await broker.stop();
  }
}

function readOptions(): { readonly transcript: boolean; readonly night: boolean } | undefined {
  try {
    const option = { type: 'boolean', default: false } as const;
    return parseArgs({ options: { transcript: option, night: option } }).values;
  } catch (error) {
    console.error(`${describeError(error)}\n\n${USAGE}`);
    return undefined;
  }
}

function giveUp(): void {
  console.error('the broker did not answer in time: what was declared may be left there');
  process.exit(1);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(describeError(error));
  process.exitCode = 1;
}
