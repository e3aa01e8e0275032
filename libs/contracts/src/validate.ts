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
  if (result.issues)
    throw new PayloadInvalidError(job.type, result.issues.flatMap(toPayloadIssues));
  return result.value as PayloadOutput<Definition>;
}

function toPayloadIssues(issue: StandardSchemaV1.Issue): PayloadIssue[] {
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  const unknown = unknownKeysOf(issue);
  if (unknown.length === 0) return [{ path: path.join('.'), message: issue.message }];
  return unknown.map((key) => ({
    path: [...path, key.slice(0, MAX_KEY_CHARACTERS)].join('.'),
    message: 'Unknown field',
  }));
}

/** A key is the sender's: it may be as long as a payload. */
const MAX_KEY_CHARACTERS = 100;

/** zod puts the object's path before them, and their names into the message alone. */
function unknownKeysOf(issue: StandardSchemaV1.Issue): readonly string[] {
  const { code, keys } = issue as { readonly code?: unknown; readonly keys?: unknown };
  if (code !== 'unrecognized_keys' || !Array.isArray(keys)) return [];
  return keys.filter((key): key is string => typeof key === 'string');
}
