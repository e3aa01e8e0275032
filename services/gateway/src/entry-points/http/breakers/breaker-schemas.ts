import { z } from 'zod';

const state = z.enum(['closed', 'half_open', 'open']);
const override = z
  .enum(['open', 'closed'])
  .optional()
  .describe('What an operator holds it at, whatever happens.');
const since = z.iso.datetime().optional();
const nextTrial = z.iso
  .datetime()
  .optional()
  .describe('When one job is tried, where it is open and nobody holds it so.');

const circuit = z.object({
  name: z.string().describe('Of the breaker.'),
  key: z.string().optional().describe('Absent for the dependency as a whole.'),
  queues: z
    .array(z.string())
    .describe('Job types and subscribers whose handlers wait while it is open, as workers tell.'),
  state: state.describe('Open where it is in any process, else half-open where it is in any.'),
  override,
  since: since.describe('By the clock of the first process where it is so.'),
  nextTrial,
  workers: z
    .array(z.object({ worker: z.string(), state, override, since, nextTrial }))
    .describe('Processes that tell of it; each finds out for itself.'),
});

/** Component schemas of what is told of circuit breakers. */
export const BREAKER_SCHEMAS = {
  Breakers: z.object({ breakers: z.array(circuit) }),
  BreakerState: z.object({
    state: z.enum(['open', 'closed', 'auto']).describe('`auto`: by what its calls tell.'),
  }),
  BreakerSet: z.object({ name: z.string(), override }),
};
