import { describeError } from './support/describe-error.ts';

/** One part of the demo: tells what became of its jobs; throws where that is not as expected. */
export interface Step<Stage> {
  readonly title: string;
  readonly run: (stage: Stage, tell: (line: string) => void) => Promise<void>;
}

type Say = (line: string) => void;

/**
 * Runs steps one after the other, also after one that failed, and says how each went.
 * @returns how many were not as expected
 * @throws the signal's reason when it is aborted: an end from outside is no finding about a step
 */
export async function runSteps<Stage extends { readonly signal: AbortSignal }>(
  steps: readonly Step<Stage>[],
  stage: Stage,
  say: Say,
): Promise<number> {
  let failures = 0;
  for (const [index, { title, run }] of steps.entries()) {
    stage.signal.throwIfAborted();
    say(`${index + 1}. ${title}`);
    if (!(await isAsExpected(() => run(stage, (line) => say(`   ${line}`)), stage.signal, say))) {
      failures += 1;
    }
    say('');
  }
  say(failures === 0 ? 'All as expected.' : `${failures} of ${steps.length} not as expected.`);
  return failures;
}

async function isAsExpected(
  run: () => Promise<void>,
  signal: AbortSignal,
  say: Say,
): Promise<boolean> {
  const startedMs = performance.now();
  try {
    await run();
    say(`   as expected, after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    say(`   NOT as expected: ${describeError(error)}`);
    return false;
  }
}
