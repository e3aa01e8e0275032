import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type QueryClient, type Store, type StoreOptions } from '@warren/store';
import pg from 'pg';
import { emptyDatabase } from './empty-database.ts';
import { newNamespace } from './namespace.ts';
import { quietTelemetry } from './quiet-telemetry.ts';

/** The PostgreSQL that tests may share, each in schemas of its own. Never stopped or reconfigured by a test. */
export function sharedDatabaseUrl(): string {
  return process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
}

/** A store for tests, with what they need to open more of them on the same data. */
export interface StoreBench {
  readonly kind: Store['kind'];
  readonly namespace: string;
  /** Opened before the first test. */
  readonly store: Store;
  /** Another one on the same data; closed with the rest. */
  open(options?: Partial<StoreOptions>): Promise<Store>;
  /** With which `open` opens. */
  options(options?: Partial<StoreOptions>): StoreOptions;
  /** Runs SQL beside the stores, `warren` and `projection` standing for the schemas. PostgreSQL only. */
  sql(text: string): Promise<Record<string, unknown>[]>;
  /** Runs work in a transaction beside the stores, committed or rolled back. PostgreSQL only. */
  transaction(
    end: 'COMMIT' | 'ROLLBACK',
    work: (client: QueryClient) => Promise<void>,
  ): Promise<void>;
}

/** What is used of the test runner; given, since it can be imported by tests only. */
export interface Runner {
  describe(name: string, tests: () => void): unknown;
  beforeAll(hook: () => Promise<void>): unknown;
  afterAll(hook: () => Promise<void>): unknown;
}

/** Runs the same tests on PostgreSQL and on the embedded store; each has its own data, deleted afterwards. */
export function testStores(runner: Runner, tests: (bench: StoreBench) => void): void {
  for (const kind of ['postgres', 'embedded'] as const) {
    runner.describe(kind, () => {
      const bench = new Bench(kind);
      runner.beforeAll(() => bench.start());
      runner.afterAll(() => bench.dispose());
      tests(bench);
    });
  }
}

/** A store for one test, by default on PostgreSQL in schemas of its own; `dispose` deletes its data. */
export async function openStoreBench({
  kind = 'postgres',
  namespace = newNamespace(),
}: {
  readonly kind?: Store['kind'];
  readonly namespace?: string;
} = {}): Promise<StoreBench & { dispose(): Promise<void> }> {
  const bench = new Bench(kind, namespace);
  await bench.start();
  return bench;
}

/** Drops the schemas of a namespace. */
export async function dropStore(namespace: string): Promise<void> {
  await withClient(async (client) => {
    for (const schema of [`warren_${namespace}`, `warren_${namespace}_projection`]) {
      await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    }
  });
}

class Bench implements StoreBench {
  readonly kind: Store['kind'];
  readonly namespace: string;
  readonly #opened: Store[] = [];
  #folder: string | undefined;

  constructor(kind: Store['kind'], namespace: string = newNamespace()) {
    this.kind = kind;
    this.namespace = namespace;
  }

  get store(): Store {
    const [first] = this.#opened;
    if (first === undefined) throw new Error('the store is opened before the first test');
    return first;
  }

  async start(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'warren-store-'));
    await (await this.open()).ping();
  }

  async open(options: Partial<StoreOptions> = {}): Promise<Store> {
    const snapshot = this.kind === 'embedded' ? await emptyDatabase() : undefined;
    const store = await openStore(this.options({ snapshot, ...options }));
    this.#opened.push(store);
    return store;
  }

  options(options: Partial<StoreOptions> = {}): StoreOptions {
    return {
      databaseUrl: this.kind === 'postgres' ? sharedDatabaseUrl() : undefined,
      dataDir: join(this.#folder ?? tmpdir(), 'store'),
      namespace: this.namespace,
      logger: quietTelemetry().logger,
      ...options,
    };
  }

  sql(text: string): Promise<Record<string, unknown>[]> {
    const named = text
      .replaceAll('projection.', `"warren_${this.namespace}_projection".`)
      .replaceAll('warren.', `"warren_${this.namespace}".`);
    return withClient(async (client) => (await client.query(named)).rows);
  }

  transaction(
    end: 'COMMIT' | 'ROLLBACK',
    work: (client: QueryClient) => Promise<void>,
  ): Promise<void> {
    return withClient(async (client) => {
      await client.query('BEGIN');
      await work(client);
      await client.query(end);
    });
  }

  async dispose(): Promise<void> {
    for (const store of this.#opened.reverse()) await store.close();
    if (this.kind === 'postgres') await dropStore(this.namespace);
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}

async function withClient<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: sharedDatabaseUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
