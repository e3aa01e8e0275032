import type { PayloadIssue } from './errors.ts';

/** A value as JSON sees it, and where it stands. */
interface Node {
  readonly value: unknown;
  readonly key: string;
  readonly parent: Node | undefined;
}

/**
 * The first value that JSON would silently turn into null or into an empty object, if any.
 * Expects a payload that `JSON.stringify` took, so that it holds no cycles.
 */
export function unrepresentableIn(payload: unknown): PayloadIssue | undefined {
  return firstIssue(payload, ({ value, parent }) => {
    if (typeof value === 'number' && !Number.isFinite(value)) return `${value} has no JSON form`;
    if (value instanceof Date) return 'is an invalid date';
    if (value instanceof Map || value instanceof Set) return 'a Map or Set has no JSON form';
    const isLeftOut =
      value === undefined || typeof value === 'function' || typeof value === 'symbol';
    return isLeftOut && Array.isArray(parent?.value)
      ? `${typeof value} in an array has no JSON form`
      : undefined;
  });
}

/** The first own key named `__proto__`: it would become a prototype in careless hands further on. */
export function dangerousKeyIn(payload: unknown): PayloadIssue | undefined {
  return firstIssue(payload, ({ key }) =>
    key === '__proto__' ? 'a key named __proto__ is not allowed' : undefined,
  );
}

/** Walks without recursion, so that depth cannot exhaust the stack. */
function firstIssue(
  root: unknown,
  visit: (node: Node) => string | undefined,
): PayloadIssue | undefined {
  const open = [nodeOf(root, '', undefined)];
  for (let node = open.pop(); node; node = open.pop()) {
    const message = visit(node);
    if (message) return { path: pathOf(node), message };
    for (const child of childrenOf(node).reverse()) open.push(child);
  }
  return undefined;
}

/** What stands in JSON for an object is what its `toJSON` gives; an invalid date is kept, to be told. */
function nodeOf(value: unknown, key: string, parent: Node | undefined): Node {
  if (value instanceof Date && Number.isNaN(value.getTime())) return { value, key, parent };
  const toJSON = (value as { toJSON?: unknown } | null | undefined)?.toJSON;
  const form: unknown = typeof toJSON === 'function' ? toJSON.call(value, key) : value;
  return { value: form, key, parent };
}

function childrenOf(parent: Node): Node[] {
  const { value } = parent;
  if (value === null || typeof value !== 'object') return [];
  // Array.from sees holes too, which JSON turns into null.
  if (Array.isArray(value)) return Array.from(value, (item, i) => nodeOf(item, String(i), parent));
  return Object.entries(value).map(([key, item]) => nodeOf(item, key, parent));
}

function pathOf(node: Node): string {
  const keys: string[] = [];
  for (let at = node; at.parent; at = at.parent) keys.unshift(at.key);
  return keys.join('.');
}
