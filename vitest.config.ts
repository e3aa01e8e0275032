import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A shared machine can stall a broker or a process for longer than any test waits: there a second failure counts. */
const retry = process.env['CI'] ? 1 : 0;

/** Hundreds of files load the same modules: to do so for each anew took a quarter of the computing of a whole run. */
const isolate = false;

/**
 * They take longest by the clock, mostly waiting: whichever was begun last would be waited for alone. Kinds take turns, so that
 * not all that is heavy runs at once.
 */
const LONGEST = [
  'chaos/product.test',
  'integration/warren-doctor',
  'e2e/start.test',
  'integration/declare',
  'integration/warren-setup',
  'e2e/gateway-bulk-faults',
  'integration/delays',
  'chaos/command',
  'integration/local-broker',
  'e2e/gateway-faults',
  'integration/alerts-live',
  'chaos/cpu-bound',
  'integration/replay-broker-restarted',
  'e2e/start-private-node',
  'integration/outbox',
  'e2e/gateway-outbox-faults',
  'integration/consumer-timeout',
  'chaos/ledger',
  'e2e/start-waiting',
  'chaos/campaign',
  'e2e/demo',
  'chaos/poison',
  'e2e/warren-command',
  'chaos/retry-isolation',
];

/** Where among the longest a file is; after all of them if it is none. */
function turnOf({ moduleId }: TestSpecification): number {
  const turn = LONGEST.findIndex((name) => moduleId.includes(`/test/${name}`));
  return turn === -1 ? LONGEST.length : turn;
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Groups stay apart: their order is looked at anew.
    return sorted.sort((one, other) => turnOf(one) - turnOf(other));
  }
}

/**
 * Test kinds, cheapest first; one group runs after the other. Everything below `test/` but `meta` talks to a real broker
 * and mostly waits for it, so more files than cores run at once, each in a namespace or on a private node of its own.
 * They are one group: at the end of each the machine would wait for a last file.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          retry,
          isolate,
          include: [
            'libs/*/src/**/*.test.ts',
            'services/*/src/**/*.test.ts',
            'grafana/**/*.test.ts',
            'bench/**/*.test.ts',
            'deploy/**/*.test.ts',
          ],
          // Some start processes or speak SMTP.
          testTimeout: 20_000,
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'meta',
          retry,
          isolate,
          include: ['test/meta/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'integration',
          retry,
          isolate,
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 60_000,
          // The embedded store takes seconds of computing to open, and hooks are not tried again.
          hookTimeout: 180_000,
          sequence: { groupOrder: 2 },
          maxWorkers: 4,
        },
      },
      {
        test: {
          name: 'e2e',
          retry,
          isolate,
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
          maxWorkers: 4,
        },
      },
      {
        test: {
          name: 'chaos',
          retry,
          isolate,
          include: ['test/chaos/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
          maxWorkers: 4,
        },
      },
    ],
  },
});
