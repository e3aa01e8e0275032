import type { Migration } from './migration.ts';

/** What a run over dead letters waits for, such as a circuit that is open. */
export const waitingRuns: Migration = {
  version: 9,
  name: 'what replays wait for',
  up: ({ primary }) => `
    ALTER TABLE ${primary}.letter_runs ADD COLUMN waiting_for text;
  `,
  down: ({ primary }) => `
    ALTER TABLE ${primary}.letter_runs DROP COLUMN waiting_for;
  `,
};
