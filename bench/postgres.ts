import pg from 'pg';

/** The tables that services of a namespace keep in PostgreSQL, looked at from outside. */
export class StoreTables {
  readonly #client: pg.Client;
  readonly #namespace: string;

  private constructor(client: pg.Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** With none there, whatever an earlier run left. */
  static async openFresh(databaseUrl: string, namespace: string): Promise<StoreTables> {
    const client = new pg.Client({ connectionString: databaseUrl });
    // Says which objects it dropped, at length.
    client.on('notice', () => {});
    await client.connect();
    const tables = new StoreTables(client, namespace);
    await tables.#drop();
    return tables;
  }

  /** How many jobs succeeded, as the store knows by now; 0 also before it has tables. */
  async succeeded(): Promise<number> {
    const table = `warren_${this.#namespace}_projection.jobs`;
    const [there] = (await this.#client.query(`select to_regclass($1) is not null as yes`, [table]))
      .rows as { yes: boolean }[];
    if (!there?.yes) return 0;
    const [row] = (
      await this.#client.query(
        `select count(*)::int as jobs from ${table} where state = 'succeeded'`,
      )
    ).rows as { jobs: number }[];
    return row?.jobs ?? 0;
  }

  /** Drops them, and closes the connection. */
  async dispose(): Promise<void> {
    await this.#drop();
    await this.#client.end();
  }

  async #drop(): Promise<void> {
    for (const schema of [`warren_${this.#namespace}`, `warren_${this.#namespace}_projection`]) {
      await this.#client.query(`drop schema if exists ${schema} cascade`);
    }
  }
}
