import type { EventDefinition, JobDefinition } from '@warren/contracts';
import { WARREN_VERSION } from '@warren/runtime';
import type { GuardOptions } from '../auth/guard.ts';
import { eventEnvelope, jobEnvelope } from '../envelope.ts';
import type { Described, Route } from '../route.ts';
import { answerSchemas, problemResponses } from './answer-schemas.ts';
import { envelopeSchemas } from './envelope-schemas.ts';
import { exampleSets, withExamples } from './examples.ts';
import { SECURITY_SCHEMES, securityOf } from './security.ts';

/** What the gateway takes. */
export interface Catalog {
  readonly jobs: readonly JobDefinition[];
  readonly events: readonly EventDefinition[];
}

const TAGS = [
  { name: 'jobs', description: 'Work to be done' },
  { name: 'events', description: 'Facts for whoever reads them' },
  { name: 'queues', description: 'Where jobs wait' },
  { name: 'breakers', description: 'What stands between handlers and what they need' },
  { name: 'limits', description: 'How often handlers may start' },
  { name: 'dead letters', description: 'What could not be done, and what is done about it' },
  { name: 'operation', description: 'For probes and monitoring' },
  { name: 'documentation', description: 'This document and its viewer' },
];

/**
 * The OpenAPI 3.1 document of the routes, with the schemas that check what they are sent.
 * @param guarded who may call, so that it says what callers need
 */
export function openApiDocument(
  routes: readonly Route[],
  { jobs, events }: Catalog,
  guarded: GuardOptions = {},
): Described {
  const examples = exampleSets(jobs, events);
  const paths: Record<string, Record<string, Described>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route, examples, guarded) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Warren',
      version: WARREN_VERSION,
      description: 'Accepts jobs and events. Every error is a problem document with a stable code.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [],
    tags: TAGS,
    paths,
    components: {
      schemas: {
        ...envelopeSchemas('Job', jobEnvelope, jobs),
        ...envelopeSchemas('Event', eventEnvelope, events),
        ...answerSchemas(),
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const PARAMETERS = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Correlation id of jobs and events that name none: 1 to 128 printable ASCII letters.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Names this job: repeated with the same payload, the answer is that of the first, with `duplicate`; with another payload it is refused. 1 to 255 printable ASCII letters. Needs the store.',
    schema: { type: 'string', maxLength: 255 },
  },
};

const HEADERS = {
  Location: { description: 'Where the job is.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before repeating.', schema: { type: 'integer' } },
};

function operationOf(
  route: Route,
  examples: ReturnType<typeof exampleSets>,
  guarded: GuardOptions,
): Described {
  const { tag, requestBody, responses, errors, description, ...doc } = route.doc;
  const { security, note, errors: refusals } = securityOf(route, guarded);
  const text = [description, note].filter((part) => part !== undefined).join(' ');
  return {
    ...doc,
    ...(text !== '' && { description: text }),
    tags: [tag],
    security,
    ...(requestBody && {
      requestBody: { required: true, content: withExamples(requestBody, examples) },
    }),
    responses: { ...responses, ...problemResponses({ ...errors, ...refusals }) },
  };
}
