import { ConfigInvalidError } from '@warren/contracts';

/** The two schemas of an installation, quoted for SQL. */
export interface SchemaNames {
  /** What is only here: outbox, idempotency keys, claims, audit. */
  readonly primary: string;
  /** What history can tell again: jobs, attempts, logs. */
  readonly projection: string;
  /** Unquoted, for messages and locks. */
  readonly plain: string;
}

/** PostgreSQL cuts longer names, so that two could become one. */
const MAX_NAME_BYTES = 63;

/**
 * `warren` and `warren_projection`; with a namespace `warren_<ns>` and `warren_<ns>_projection`.
 * @throws ConfigInvalidError naming `namespace`
 */
export function schemaNames(namespace?: string): SchemaNames {
  if (namespace !== undefined) checkNamespace(namespace);
  const plain = namespace === undefined ? 'warren' : `warren_${namespace}`;
  return { primary: quote(plain), projection: quote(`${plain}_projection`), plain };
}

function checkNamespace(namespace: string): void {
  if (!/^[A-Za-z0-9_-]+$/.test(namespace)) {
    throw new ConfigInvalidError('namespace', 'may have letters, digits, - and _ only');
  }
  if (`warren_${namespace}_projection`.length > MAX_NAME_BYTES) {
    throw new ConfigInvalidError('namespace', 'is too long for the name of a database schema');
  }
  if (namespace === 'projection' || namespace.endsWith('_projection')) {
    throw new ConfigInvalidError('namespace', 'may not end in projection: another schema has it');
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
