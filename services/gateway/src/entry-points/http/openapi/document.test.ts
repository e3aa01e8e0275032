import { Validator } from '@seriousme/openapi-schema-validator';
import { catalog, events } from '@warren/catalog';
import { defineJob, QueueMissingError, validatePayload } from '@warren/contracts';
import { createMetrics } from '@warren/telemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AcceptJob } from '../../../domain/accept-job.ts';
import type { QueueDesk } from '../../../domain/queues/queue-desk.ts';
import { anyLetters, anyRuns, anyTransfer } from '../../../fixtures/any-letters.ts';
import { type RunningApp, runApp } from '../../../fixtures/running-app.ts';
import { openApiDocument } from './document.ts';

/** What these tests read of the document. */
interface Operation {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples: Readonly<Record<string, { readonly value: unknown }>> }>
    >;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/problem+json'?: ProblemDoc } }>
  >;
}
interface ProblemDoc {
  readonly schema: {
    readonly allOf: readonly {
      readonly properties?: { readonly code: { readonly enum: string[] } };
    }[];
  };
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** Accepts what the real gateway would: payloads are checked. */
const acceptValid: AcceptJob = async ({ type, payload, id }) => {
  const definition = [...catalog, ...events].find((known) => known.type === type);
  await validatePayload(definition as NonNullable<typeof definition>, payload);
  return { id };
};

const anyQueues: QueueDesk = {
  reports: async () => [],
  report: (queue) => Promise.reject(new QueueMissingError(queue)),
  setPaused: async () => {},
  setCounts: async () => {},
};

const anyBreakers = { circuits: async () => [], hold: async () => {} };
const anyLimits = { limits: async () => [], set: async () => {} };

let app: RunningApp;
let document: Document;
beforeAll(async () => {
  app = await runApp(
    {
      metrics: createMetrics({ service: 'gateway', version: '0' }),
      queues: anyQueues,
      breakers: anyBreakers,
      limits: anyLimits,
      letters: anyLetters,
      runs: anyRuns,
      transfer: anyTransfer,
    },
    acceptValid,
  );
  document = (await (await fetch(`${app.url}/openapi.json`)).json()) as Document;
});
afterAll(() => app.stop());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    const result = await new Validator().validate({ ...document });
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('refers to nothing that it does not hold', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, at]) => at,
    );
    expect(refs.length).toBeGreaterThan(10);
    for (const ref of refs) {
      const target = ref
        ?.split('/')
        .reduce<unknown>((at, key) => Reflect.get(Object(at), key), document);
      expect(target, ref).toBeDefined();
    }
  });

  it('names each operation once', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has every route that the server has, and none that it has not', async () => {
    const served = app.paths().map((path) => path.replaceAll(/:(\w+)/g, '{$1}'));
    expect(Object.keys(document.paths).sort()).toEqual(served.sort());
    for (const [path, methods] of Object.entries(document.paths)) {
      const url = `${app.url}${path.replace('{file}', 'start.js')}`;
      const { headers } = await fetch(url, { method: 'OPTIONS' });
      const allowed = headers.get('allow')?.toLowerCase().split(', ');
      const documented = Object.keys(methods).flatMap((method) =>
        method === 'get' ? ['get', 'head'] : [method],
      );
      expect(allowed?.sort(), path).toEqual([...documented, 'options'].sort());
    }
  });

  it('leaves out the metrics where they have a port of their own', async () => {
    const other = await runApp();
    const text = await (await fetch(`${other.url}/openapi.json`)).text();
    expect(Object.keys((JSON.parse(text) as Document).paths)).not.toContain('/metrics');
    await other.stop();
  });

  it('has an example of every body', () => {
    const bodies = operations().flatMap(({ operation }) =>
      Object.values(operation.requestBody?.content ?? {}),
    );
    expect(bodies).toHaveLength(12);
    for (const { examples } of bodies) expect(Object.keys(examples)).not.toEqual([]);
  });

  it('has only examples that the server accepts', async () => {
    for (const { path, method, operation } of operations()) {
      for (const [mediaType, { examples }] of Object.entries(
        operation.requestBody?.content ?? {},
      )) {
        for (const [name, { value }] of Object.entries(examples)) {
          const body = typeof value === 'string' ? value : JSON.stringify(value);
          const headers = { 'content-type': mediaType };
          const answer = await fetch(`${app.url}${path}`, { method, headers, body });
          const text = await answer.text();
          expect(answer.ok, `${path}, ${name}: ${text}`).toBe(true);
          expect(text).not.toContain('"error"');
        }
      }
    }
  });
});

describe('the errors', () => {
  it('have an example of each code that an answer may have, and of no other', () => {
    const errors = operations().flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) => {
        const problem = content?.['application/problem+json'];
        return problem ? [{ status: Number(status), problem }] : [];
      }),
    );
    expect(errors.length).toBeGreaterThan(10);
    for (const { status, problem } of errors) {
      const codes = problem.schema.allOf.flatMap(({ properties }) => properties?.code.enum ?? []);
      expect(Object.keys(problem.examples)).toEqual(codes);
      for (const [code, { value }] of Object.entries(problem.examples)) {
        expect(value).toMatchObject({ code, status });
      }
    }
  });
});

describe('the schemas of payloads', () => {
  const schemasOf = (job: ReturnType<typeof defineJob>) =>
    (openApiDocument([], { jobs: [job], events: [] }) as unknown as Document).components.schemas;

  it('are those that check them', () => {
    expect(document.components.schemas['EventPayload.order.placed']).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['orderId', 'total', 'currency'],
      properties: { currency: { pattern: '^[A-Z]{3}$' } },
    });
    expect(document.components.schemas['Job.email.send']).toMatchObject({
      additionalProperties: false,
      required: ['type', 'payload'],
      properties: { type: { const: 'email.send' }, runAt: { format: 'date-time' } },
    });
  });

  it('are those of what is sent, not of what handlers get', () => {
    const schema = z.object({ at: z.string().transform((text) => new Date(text)) });
    expect(schemasOf(defineJob({ type: 'a.b', schema }))['JobPayload.a.b']).toMatchObject({
      properties: { at: { type: 'string' } },
    });
  });

  it('may contain themselves', () => {
    const tree = z.object({
      get children() {
        return z.array(tree);
      },
    });
    const schemas = schemasOf(defineJob({ type: 'a.b', schema: tree }));
    expect(schemas['JobPayload.a.b']).toMatchObject({
      properties: { children: { items: { $ref: '#/components/schemas/JobPayload.a.b' } } },
    });
  });

  it('are free objects where they are not zod’s', () => {
    const schema = {
      '~standard': { version: 1, vendor: 'other', validate: (value: unknown) => ({ value }) },
    } as const;
    expect(schemasOf(defineJob({ type: 'a.b', schema }))['JobPayload.a.b']).toMatchObject({
      type: 'object',
    });
  });
});
