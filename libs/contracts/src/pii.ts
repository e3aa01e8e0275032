import { z } from 'zod';

const marks = z.registry<{ pii: true }>();

/**
 * Marks a schema's value as personal data: it is redacted in logs, consoles and exports.
 * The mark stays through `.min()`, `.describe()`, `.optional()` and the like; a new object schema, as from
 * `.extend()` or `.pick()`, has only the marks of its fields.
 * @returns the same schema, marked
 */
export function pii<Schema extends z.ZodType>(schema: Schema): Schema {
  marks.add(schema, { pii: true });
  return schema;
}

/**
 * Dotted paths of all marked values in a schema; `*` stands for every element. Where a schema with marks
 * contains itself, the inner occurrence counts as marked. Empty for schemas that are not zod's.
 */
export function piiPathsOf(schema: unknown): string[] {
  const walk: Walk = { found: [], open: new Map() };
  collect(schema, [], walk);
  return [...new Set(walk.found)];
}

/** Schemas that are made anew on each look would never end; payloads are not this deep. */
const MAX_DEPTH = 16;

interface Walk {
  readonly found: string[];
  /** Schemas on the way down to here, each with the paths at which it occurs again below itself. */
  readonly open: Map<unknown, string[]>;
}

/** What this walk reads of zod's internals: children by kind of schema. */
interface SchemaNode {
  _zod?: { def?: SchemaDef };
}
interface SchemaDef {
  shape?: Record<string, unknown>;
  catchall?: unknown;
  element?: unknown;
  innerType?: unknown;
  valueType?: unknown;
  options?: unknown[];
  items?: unknown[];
  rest?: unknown;
  left?: unknown;
  right?: unknown;
  in?: unknown;
  out?: unknown;
  getter?: () => unknown;
}

function collect(schema: unknown, path: readonly string[], walk: Walk): void {
  const def = (schema as SchemaNode | undefined)?._zod?.def;
  if (!def || path.length > MAX_DEPTH) return;
  // `get`, unlike `has`, sees the mark of the schema that this one was derived from.
  if (marks.get(schema as z.ZodType)?.pii) {
    walk.found.push(path.join('.'));
    return;
  }
  const again = walk.open.get(schema);
  if (again) {
    again.push(path.join('.'));
    return;
  }
  descend(schema, def, path, walk);
}

function descend(schema: unknown, def: SchemaDef, path: readonly string[], walk: Walk): void {
  const occurrences: string[] = [];
  const before = walk.found.length;
  walk.open.set(schema, occurrences);
  for (const [key, child] of childrenOf(def)) {
    collect(child, key === undefined ? path : [...path, key], walk);
  }
  walk.open.delete(schema);
  if (walk.found.length > before) walk.found.push(...occurrences);
}

function childrenOf(def: SchemaDef): [string | undefined, unknown][] {
  return [
    ...Object.entries(def.shape ?? {}),
    ...under('*', [def.element, def.valueType, def.catchall, def.rest, ...(def.items ?? [])]),
    ...under(undefined, [def.innerType, def.left, def.right, def.in, def.out, def.getter?.()]),
    ...under(undefined, def.options ?? []),
  ];
}

function under(key: string | undefined, children: unknown[]): [string | undefined, unknown][] {
  return children.filter(Boolean).map((child) => [key, child]);
}
