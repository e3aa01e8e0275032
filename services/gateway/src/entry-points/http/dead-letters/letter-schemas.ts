import { z } from 'zod';

const count = z.int().min(0);
const time = z.iso.datetime().optional();
const queue = z.string().describe('The job type, or the name of a queue.');

const letter = z.object({
  position: z.int().min(1).describe('Place in the queue, from the oldest.'),
  id: z.string().optional().describe('Of the job.'),
  type: z.string().optional(),
  reason: z.string().optional().describe('Why it was given up.'),
  error: z
    .string()
    .optional()
    .describe('The last failure with its stack, earlier ones a line each.'),
  fingerprint: z.string().describe('The same for the same trouble, in every build.'),
  origin: z.string().optional().describe('The queue that it failed in.'),
  routingKey: z.string(),
  attempt: z.int(),
  generation: z.int().describe('How often it was replayed.'),
  payloadVersion: z.int(),
  publishedAt: time,
  deadAt: time,
  correlationId: z.string().optional(),
  replayOf: z.string().optional(),
  payloadBytes: count,
  payload: z.unknown().optional().describe('Personal data is redacted.'),
  note: z.string().optional().describe('Why there is no payload, or not all of it.'),
});

const group = z.object({
  fingerprint: z.string(),
  type: z.string().optional(),
  reason: z.string().optional(),
  errorClass: z.string().optional(),
  headline: z.string().optional(),
  count,
  firstSeen: time,
  lastSeen: time,
  sampleId: z.string().optional(),
});

const texts = (what: string) =>
  z.array(z.string().min(1).max(1_000)).min(1).max(10_000).optional().describe(what);

/** Which dead letters are meant. */
export const selection = z
  .strictObject({
    ids: texts('Of jobs.'),
    types: texts('Job types or events.'),
    errors: texts('Class or code of the last failure.'),
    fingerprints: z
      .array(z.string().regex(/^[\da-f]{12}$/, 'expected 12 digits as groups show them'))
      .min(1)
      .max(1_000)
      .optional(),
    since: z.iso.datetime({ offset: true }).optional().describe('Died then or later.'),
    until: z.iso.datetime({ offset: true }).optional().describe('Died before then.'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe("The publisher's own, such as a tenant: all must fit."),
  })
  .describe('Those that fit all that is given, by any one of its values.');

const limit = z.int().min(1).optional().describe('At most, from the oldest.');
const rate = z.int().min(1).max(1_000_000).optional().describe('So many a second at most.');
const reason = z.string().trim().min(1).max(4_000);
const edit = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'JSON merge patch of each payload; one that does not fit afterwards stays where it is.',
  );
const dryRun = z.boolean().optional().describe('Only say what would be done.');

/** `POST /v1/replays`. */
export const replayBody = z.strictObject({
  queue,
  selection: selection.optional(),
  limit,
  rate,
  canary: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Replay so many first; go on only if none fails again.'),
  canaryWaitSeconds: z.int().min(1).max(86_400).optional().describe('Wait so long for them.'),
  maxReplays: z.int().min(1).optional().describe('Pass over what was replayed so often: 10.'),
  force: z.boolean().optional().describe('Pass over none for that.'),
  to: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'All to this job type or queue; a payload that does not fit its schema stays where it is.',
    ),
  edit,
  ignoreBreakers: z
    .boolean()
    .optional()
    .describe('Go on while a circuit is open that its jobs wait for.'),
  dryRun,
  reason: reason.optional().describe('Why, for the audit.'),
});

/** `POST /v1/replays/:id/resume`. */
export const resumeBody = z.strictObject({ edit });

/** `POST /v1/dead-letters/:queue/discard`. */
export const discardBody = z.strictObject({
  selection: selection.optional(),
  all: z.literal(true).optional().describe('All that are there now, in place of a selection.'),
  limit,
  dryRun,
  reason: reason.describe('Why, for the audit.'),
});

/** `POST /v1/dead-letters/:queue/export`. */
export const exportBody = z.strictObject({
  selection: selection.optional(),
  limit,
  showPii: z.boolean().optional().describe('Leave personal data in.'),
  reason: reason.optional().describe('Why, for the audit.'),
});

const importOutcome = z.object({
  imported: count,
  of: count.describe('Lines that there were.'),
  problems: z.array(z.object({ line: z.int().min(1), problem: z.string() })),
});

const run = z.object({
  id: z.string(),
  kind: z.enum(['replay', 'discard']),
  queue: z.string(),
  state: z
    .enum(['choosing', 'running', 'interrupted', 'stopped', 'ended'])
    .describe('Interrupted: its process was not heard of for half a minute.'),
  by: z.string(),
  reason: z.string().optional(),
  selection: z.unknown(),
  settings: z.unknown(),
  chosen: count.describe('Fixed when it began.'),
  done: count.describe('Of those.'),
  starts: count.describe('How often it was begun or resumed.'),
  stopAsked: z.boolean(),
  waitingFor: z
    .string()
    .optional()
    .describe('What the next one waits for: a circuit that is open; nothing is lost or spent.'),
  problem: z.string().optional().describe('Why it ended early.'),
  report: z.unknown().optional().describe('What its last start told at its end.'),
  begunAt: z.iso.datetime(),
  heardOfAt: z.iso.datetime(),
  endedAt: time,
});

const plan = z.object({
  dryRun: z.literal(true),
  queue: z.string(),
  depth: count.describe('Dead letters that are there.'),
  selected: count.describe('Those that are meant.'),
  taken: count.describe('Those of them that would be taken.'),
  targets: z.record(z.string(), count).optional().describe('The same by where they would go.'),
  left: count.describe('Meant, and nothing could be done with them.'),
  leftExamples: z.array(z.object({ id: z.string().optional(), problem: z.string() })),
});

/** Component schemas of what is told of dead letters, and sent about them. */
export const LETTER_SCHEMAS = {
  DeadQueues: z.object({ queues: z.array(z.object({ queue: z.string(), dead: count })) }),
  DeadLetter: letter,
  DeadLetterPage: z.object({
    queue: z.string(),
    depth: count.describe('Dead letters that are there.'),
    deadLetters: z.array(letter),
    cursor: z.string().optional(),
  }),
  DeadLetterGroups: z.object({
    queue: z.string(),
    depth: count,
    groups: z.array(group),
    ungrouped: count.describe('In groups that there was no room for.'),
  }),
  Replay: run,
  ReplayPage: z.object({ replays: z.array(run), cursor: z.string().optional() }),
  ReplayPlan: plan,
  ReplayRequest: replayBody,
  DiscardRequest: discardBody,
  ExportRequest: exportBody,
  ImportOutcome: importOutcome,
  ResumeRequest: resumeBody,
};
