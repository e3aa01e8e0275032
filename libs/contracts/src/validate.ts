import type { StandardSchemaV1 } from '@standard-schema/spec';
import { PayloadInvalidError, type PayloadIssue } from './errors.ts';
import type { PayloadDefinition, PayloadOutput } from './payload-definition.ts';

/**
 * Checks a payload against the job type's schema. Returns a promise only where the schema itself is asynchronous.
 * @throws PayloadInvalidError naming each field (or rejects with it)
 */
export function validatePayload<Definition extends PayloadDefinition>(
  job: Definition,
  payload: unknown,
): PayloadOutput<Definition> | Promise<PayloadOutput<Definition>> {
  const result = job.schema['~standard'].validate(payload);
  if (result instanceof Promise) return result.then((settled) => outputOf(job, settled));
  return outputOf(job, result);
}

function outputOf<Definition extends PayloadDefinition>(
  job: Definition,
  result: StandardSchemaV1.Result<unknown>,
): PayloadOutput<Definition> {
  if (result.issues) throw new PayloadInvalidError(job.type, result.issues.map(toPayloadIssue));
  return result.value as PayloadOutput<Definition>;
}

function toPayloadIssue(issue: StandardSchemaV1.Issue): PayloadIssue {
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  return { path: path.join('.'), message: issue.message };
}
