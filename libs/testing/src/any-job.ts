import {
  defineJob,
  type JobDefinition,
  type JobOptions,
  type StandardSchemaV1,
} from '@warren/contracts';

/** A job type that takes any payload, for tests of what happens around it. */
export function anyJob(
  type: string,
  options: Omit<JobOptions<string, StandardSchemaV1>, 'type' | 'schema'> = {},
): JobDefinition {
  const validate = (value: unknown) => ({ value });
  return defineJob({
    type,
    schema: { '~standard': { version: 1, vendor: 'test', validate } },
    ...options,
  });
}
