import type { PayloadDefinition } from '@warren/contracts';
import { z } from 'zod';

/** JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** What clients may send: the schema's input. What JSON Schema cannot say is left open. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
  });
  return JSON.parse(JSON.stringify(described)) as JsonSchema;
}

/** The schema of a payload, as component `name`. One that is not zod's is a free object: only its owner can read it. */
export function payloadSchema(definition: PayloadDefinition, name: string): JsonSchema {
  const { schema, description } = definition;
  if (!isZod(schema)) {
    return { type: 'object', description: `${description} (checked by rules that are not shown)` };
  }
  return withRefsBelow(`#/components/schemas/${name}`, { description, ...toJsonSchema(schema) });
}

function isZod(schema: unknown): schema is z.ZodType {
  return typeof schema === 'object' && schema !== null && '_zod' in schema;
}

/** References within a schema start at its root, which is further down once it is a component. */
function withRefsBelow<T>(root: string, node: T): T {
  if (Array.isArray(node)) return node.map((item) => withRefsBelow(root, item)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#')
      ? [key, root + value.slice(1)]
      : [key, withRefsBelow(root, value)],
  );
  return Object.fromEntries(entries) as T;
}
