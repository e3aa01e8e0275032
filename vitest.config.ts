import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A shared machine can stall a broker or a process for longer than any test waits: there a second failure counts. */
const retry = process.env['CI'] ? 1 : 0;

/** Hundreds of files load the same modules: to do so for each anew took a quarter of the computing of a whole run. */
const isolate = false;

/** They take longest by the clock, mostly waiting: whichever was begun last would be waited for alone. */
const LONGEST = [
  'integration/local-broker',
  'integration/alerts-live',
  'integration/delays',
  'integration/declare',
  'integration/outbox',
  'integration/consumer-timeout',
  'e2e/start.test',
  'e2e/gateway-faults',
  'e2e/gateway-outbox-faults',
  'e2e/start-private-node',
  'e2e/gateway-bulk-faults',
  'e2e/start-waiting',
  'chaos/product.test',
  'chaos/cpu-bound',
  'chaos/ledger',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      LONGEST.some((name) => moduleId.includes(`/test/${name}`));
    // Groups stay apart: their order is looked at anew.
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * Test kinds, cheapest first; one group runs after the other. Everything below `test/` but `meta` talks to a real broker
 * and mostly waits for it, so more files than cores run at once, each in a namespace or on a private node of its own.
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
          sequence: { groupOrder: 3 },
          maxWorkers: 3,
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
          sequence: { groupOrder: 4 },
          maxWorkers: 2,
        },
      },
    ],
  },
});
