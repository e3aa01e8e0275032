import { defineJob, type JobDefinition, type StandardSchemaV1 } from '@warren/contracts';

const anything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
};

/** A job type that takes any payload. */
export function anyPayload(
  timeout: `${number}s` = '60s',
  cancelGrace: `${number}s` = '5s',
): JobDefinition {
  return defineJob({ type: 'report.render', schema: anything, timeout, cancelGrace });
}
