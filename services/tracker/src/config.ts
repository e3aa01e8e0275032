import {
  brokerSettings,
  type ConfigOf,
  defineConfig,
  historySettings,
  opsSettings,
  setting,
  storeSettings,
  wholeNumber,
} from '@warren/runtime';

/** Environment variables of the tracker. */
export const trackerSettings = defineConfig({
  ...opsSettings,
  ...brokerSettings,
  ...historySettings,
  ...storeSettings,
  RETENTION_SUCCEEDED_DAYS: setting({
    schema: wholeNumber({ min: 1, max: 36_500 }),
    description:
      'how long the store keeps jobs that succeeded, were cancelled or discarded, or expired; dead ones stay',
    default: '7',
  }),
  RETENTION_KEYS_HOURS: setting({
    schema: wholeNumber({ min: 1, max: 87_600 }),
    description:
      'how long an Idempotency-Key is remembered after its job has ended; the same one makes a new job later',
    default: '24',
  }),
  RETENTION_CLAIMS_DAYS: setting({
    schema: wholeNumber({ min: 1, max: 36_500 }),
    description:
      'how long the store remembers that the work of a job was done that must not be done twice; the same job would be done again later. As long it keeps the checkpoint of a long job that does not come back',
    default: '30',
  }),
});

export type TrackerConfig = ConfigOf<typeof trackerSettings>;
