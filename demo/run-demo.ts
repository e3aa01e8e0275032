import { runSteps, type Step } from './run-steps.ts';
import { openStage, type Stage } from './stage.ts';
import { runCampaign } from './steps/campaign.ts';
import { emitEvent } from './steps/event.ts';
import { surviveOutage } from './steps/outage.ts';
import { replayDeadLetters } from './steps/replay.ts';
import { describeError } from './support/describe-error.ts';

const STEPS: readonly Step<Stage>[] = [
  { title: 'A campaign, some of whose mails fail', run: runCampaign },
  { title: 'An event with two subscribers, one of which fails once', run: emitEvent },
  { title: 'A mail server that goes away and comes back', run: surviveOutage },
  { title: 'Dead letters and their replay', run: replayDeadLetters },
];

/** How it went, and what was said of the jobs. */
export interface DemoResult {
  readonly asExpected: boolean;
  readonly transcript: readonly string[];
}

/** Runs all steps on a broker and deletes what it declared there. Never rejects: what went wrong is printed. */
export async function runDemo(
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
    asExpected = (await runSteps(STEPS, stage, say)) === 0;
    await stage.close();
  } catch (error) {
    asExpected = false;
    print(describeError(error));
    await stage?.close().catch((problem: unknown) => print(describeError(problem)));
  }
  return { asExpected, transcript };
}
