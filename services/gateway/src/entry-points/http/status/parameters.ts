import type { Described } from '../route.ts';

/** A parameter of a query string, as the OpenAPI document has it. */
export function queryParameter(name: string, description: string, schema: Described): Described {
  return { name, in: 'query', description, schema };
}

/** `:id` of a path. */
export const JOB_ID: Described = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the job.',
  schema: { type: 'string' },
};

export const QUEUE = queryParameter(
  'queue',
  'Which job, where several subscribers have one with this id: the job type, or the subscriber.',
  { type: 'string' },
);

/** How many of a list, and after which. */
export const PAGE = [
  queryParameter('limit', 'How many at most.', {
    type: 'integer',
    minimum: 1,
    maximum: 1_000,
    default: 100,
  }),
  queryParameter('cursor', 'That of the page before, with the same filter.', { type: 'string' }),
];

export const PAGE_LIMIT = { min: 1, max: 1_000, default: 100 };

/** 200 with a component schema. */
export function answers(description: string, schema: string): Record<200, Described> {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } };
  return { 200: { description, content } };
}
