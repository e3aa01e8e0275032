import { JOB_STATES } from '@warren/history';
import { z } from 'zod';

const time = z.iso.datetime();
const count = z.int().min(0);
const error = z.object({ name: z.string(), message: z.string(), stack: z.string().optional() });

const job = z.object({
  id: z.string(),
  queue: z.string().describe('The job type, or the subscriber. With the id it names the job.'),
  type: z.string(),
  state: z.enum(JOB_STATES),
  generation: count.describe('Raised by one at each replay.'),
  attempt: count,
  createdAt: time,
  startedAt: time.optional(),
  finishedAt: time.optional(),
  dueAt: time.optional().describe('Not before this, while it is scheduled or retrying.'),
  updatedAt: time,
  progress: z
    .object({ fraction: z.number().min(0).max(1), message: z.string().optional() })
    .optional(),
  error: error.optional().describe('Of the last run that failed.'),
  reason: z.string().optional().describe('Why it ended as it did.'),
  uncertain: z
    .string()
    .optional()
    .describe('Why the state may not be the last word: something that was told of it is missing.'),
  result: z.unknown().optional().describe('What the handler returned.'),
  resultProblem: z
    .string()
    .optional()
    .describe('Why there is no result although there could be one.'),
  correlationId: z
    .string()
    .optional()
    .describe('As `service`, known once the publisher has told, which may be after the end.'),
  service: z
    .string()
    .optional()
    .describe(
      'Who published it. It tells so in batches: of a job that ends at once this may be absent for a moment.',
    ),
  worker: z.string().optional().describe('Who ran it last.'),
});

const attempt = z.object({
  generation: count,
  attempt: count,
  run: z.string(),
  worker: z.string().optional(),
  startedAt: time.optional(),
  endedAt: time.optional(),
  outcome: z.string().optional(),
  error: error.optional(),
});

const line = z.object({
  at: time,
  run: z.string(),
  seq: count,
  level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']),
  message: z.string(),
  fields: z.unknown().optional(),
  isCut: z.boolean().optional().describe('The message was cut, or the fields left out.'),
});

const cursor = z.string().optional().describe('Asks for the next page; absent on the last one.');

/** Component schemas of what is told of jobs. */
export const JOB_SCHEMAS = {
  JobStatus: job.extend({ attempts: z.array(attempt) }),
  CancelRequested: z.object({
    id: z.string(),
    queue: z.string(),
    state: z.enum(JOB_STATES).describe('Before the workers know.'),
    cancelling: z.literal(true),
  }),
  Retried: z.object({
    id: z.string(),
    queue: z.string(),
    state: z.literal('queued'),
    generation: count,
  }),
  JobPage: z.object({ jobs: z.array(job), cursor }),
  LogPage: z.object({
    lines: z.array(line),
    cursor,
    position: z
      .string()
      .optional()
      .describe('A cursor for lines that are written later, also on the last page.'),
    missing: count.describe('Lines that are not kept.'),
  }),
};
