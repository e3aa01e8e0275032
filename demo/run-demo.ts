import { runSteps, type Step } from './run-steps.ts';
import { openStage, type Stage } from './stage.ts';
import { describeError } from './support/describe-error.ts';

/** How it went, and what was said of the jobs. */
export interface DemoResult {
  readonly asExpected: boolean;
  readonly transcript: readonly string[];
}

/** Runs steps on a broker and deletes what it declared there. Never rejects: what went wrong is printed. */
export async function runDemo(
  steps: readonly Step<Stage>[],
  brokerUrl: string,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<DemoResult> {
  const transcript: string[] = [];
  const say = (line: string) => {
    transcript.push(line);
    print(line);
  };
  let stage: Stage | undefined;
  let asExpected = false;
  try {
    stage = await openStage(brokerUrl, signal);
    print(
      `Everything at the broker is named ${stage.topology.names.workQueue('…')}, and deleted at the end.\n`,
    );
    asExpected = (await runSteps(steps, stage, say)) === 0;
    await stage.close();
  } catch (error) {
    asExpected = false;
    print(describeError(error));
    await stage?.close().catch((problem: unknown) => print(describeError(problem)));
  }
  return { asExpected, transcript };
}
