import { MAX_REPLAYS, type Selection } from '@warren/dead-letter';
import type { z } from 'zod';
import type { RunRequest } from '../../../domain/dead-letters/run-desk.ts';
import type { ExportRequest } from '../../../domain/dead-letters/transfer-desk.ts';
import { badFields, type FieldError } from '../http-error.ts';
import { discardBody, exportBody, replayBody, resumeBody } from './letter-schemas.ts';

/** What a body asks for. */
export interface AskedRun {
  readonly request: RunRequest;
  readonly isDryRun: boolean;
}

/** @throws HttpError 400 that names the fields */
export function replayIn(body: unknown): AskedRun {
  const asked = parsed(replayBody, body);
  const { canary, canaryWaitSeconds, rate: ratePerSecond, limit, force, to, edit } = asked;
  const errors: FieldError[] = [];
  if (canaryWaitSeconds !== undefined && canary === undefined) {
    errors.push({ field: 'canaryWaitSeconds', message: 'says nothing without canary' });
  }
  if (force && asked.maxReplays !== undefined) {
    errors.push({ field: 'force', message: 'not together with maxReplays' });
  }
  if (errors.length > 0) throw badFields(errors);
  const maxReplays = force ? undefined : (asked.maxReplays ?? MAX_REPLAYS);
  const isEdited = edit !== undefined || undefined;
  const ignoreBreakers = asked.ignoreBreakers || undefined;
  const settings = {
    limit,
    ratePerSecond,
    canary,
    canaryWaitSeconds,
    maxReplays,
    to,
    isEdited,
    ignoreBreakers,
  };
  const { queue, reason, dryRun = false } = asked;
  const selection = selectionIn(asked.selection);
  return {
    request: { kind: 'replay', queue, selection, settings, reason, edit },
    isDryRun: dryRun,
  };
}

/** @throws HttpError 400 that names the fields */
export function discardIn(queue: string, body: unknown): AskedRun {
  const { selection: given, all, limit, reason, dryRun = false } = parsed(discardBody, body);
  const isChosen = Object.keys(given ?? {}).length > 0;
  if (isChosen === (all ?? false)) {
    const message = 'say which by a selection, or all, not both';
    throw badFields([{ field: isChosen ? 'all' : 'selection', message }]);
  }
  const selection = selectionIn(given);
  return {
    request: { kind: 'discard', queue, selection, settings: { limit }, reason },
    isDryRun: dryRun,
  };
}

/** @throws HttpError 400 that names the fields */
export function exportIn(queue: string, body: unknown): ExportRequest {
  const { selection: given, showPii = false, ...rest } = parsed(exportBody, body);
  return { ...rest, queue, showPii, selection: selectionIn(given) };
}

/** What a resumed one is given anew. @throws HttpError 400 that names the fields */
export function resumeIn(body: unknown): unknown {
  return parsed(resumeBody, body).edit;
}

type GivenSelection = z.infer<typeof replayBody>['selection'];

/** A selection as a body has it, with times as numbers. */
export function selectionIn({
  since,
  until,
  ...rest
}: NonNullable<GivenSelection> = {}): Selection {
  const ms = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  return { ...rest, sinceMs: ms(since), untilMs: ms(until) };
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw badFields(read.error.issues.flatMap(fieldErrors));
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: [...path, key.slice(0, 100)].join('.'),
      message: 'unknown option',
    }));
  }
  return [{ field: path.join('.') || 'body', message: issue.message }];
}
