import { deadLettersAtNight } from './night/dead-letters-at-night.ts';
import type { Step } from './run-steps.ts';
import type { Stage } from './stage.ts';
import { runCampaign } from './steps/campaign.ts';
import { emitEvent } from './steps/event.ts';
import { surviveOutage } from './steps/outage.ts';
import { replayDeadLetters } from './steps/replay.ts';

/** What the demo can show. */
export interface Story {
  readonly steps: readonly Step<Stage>[];
  /** What it printed last is in this document, where it is marked with `command`. */
  readonly document: 'README.md' | 'docs/dead-letters.md';
  readonly command: string;
}

/** What becomes of jobs that fail. */
export const FATES: Story = {
  steps: [
    { title: 'A campaign, some of whose mails fail', run: runCampaign },
    { title: 'An event with two subscribers, one of which fails once', run: emitEvent },
    { title: 'A mail server that goes away and comes back', run: surviveOutage },
    { title: 'Dead letters and their replay', run: replayDeadLetters },
  ],
  document: 'README.md',
  command: 'npm run demo -- --transcript',
};

/** What an operator does about dead letters. */
export const NIGHT: Story = {
  steps: [{ title: 'Dead letters at three in the morning', run: deadLettersAtNight }],
  document: 'docs/dead-letters.md',
  command: 'npm run demo -- --night --transcript',
};
