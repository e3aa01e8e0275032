import { runAdmin } from '@warren/admin';
import type { StoreBench } from '@warren/testing';

type Row = Readonly<Record<string, unknown>>;

/** What a rebuild changed. Nothing, where the store was right. */
export interface Changes {
  readonly rows: number;
  /** By `table.column`; `table` alone for rows that came or went. */
  readonly changed: Readonly<Record<string, number>>;
}

const TABLES = {
  jobs: ['id', 'queue'],
  attempts: ['id', 'queue', 'run'],
  logs: ['id', 'queue', 'run', 'seq'],
} as const;

/** Has the tracker read everything once more into an empty store, and tells what is different then. */
export async function changesByRebuild(
  bench: Pick<StoreBench, 'sql'>,
  env: Readonly<Record<string, string>>,
): Promise<Changes> {
  const before = await allRows(bench);
  await rebuild(env);
  const after = await allRows(bench);
  const changed: Record<string, number> = {};
  const count = (what: string) => {
    changed[what] = (changed[what] ?? 0) + 1;
  };
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const table = key.slice(0, key.indexOf(' '));
    const [was, is] = [before.get(key), after.get(key)];
    if (!was || !is) count(table);
    else for (const column of differing(was, is)) count(`${table}.${column}`);
  }
  return { rows: before.size, changed };
}

function differing(was: Row, is: Row): string[] {
  return Object.keys(was).filter((column) => was[column] !== is[column]);
}

async function allRows(bench: Pick<StoreBench, 'sql'>): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for (const [table, key] of Object.entries(TABLES)) {
    for (const row of await bench.sql(`SELECT * FROM projection.${table}`)) {
      rows.set(`${table} ${key.map((column) => String(row[column])).join(' ')}`, row);
    }
  }
  return rows;
}

async function rebuild(env: Readonly<Record<string, string>>): Promise<void> {
  let said = '';
  const say = (text: string) => {
    said += text;
  };
  const code = await runAdmin(['store', 'rebuild'], {
    env: { ...env },
    out: say,
    err: say,
    isTerminal: false,
    signal: new AbortController().signal,
    jobs: [],
  });
  if (code !== 0 || !said.includes('Rebuilt'))
    throw new Error(`the store was not rebuilt: ${said}`);
}
