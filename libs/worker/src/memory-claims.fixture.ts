import type { Claim, ClaimsPort } from './claims-port.ts';

interface Row {
  token: number;
  leaseEndsAtMs: number;
  done?: { result: unknown };
}

/** Claims in memory, for tests; `failing` makes every call reject. */
export class MemoryClaims implements ClaimsPort {
  readonly #rows = new Map<string, Row>();
  failing = false;

  async claim({ id, leaseMs }: { id: string; leaseMs: number }): Promise<Claim> {
    this.#check();
    const row = this.#rows.get(id) ?? { token: 0, leaseEndsAtMs: 0 };
    if (row.done) return { kind: 'done', result: row.done.result };
    const { leaseEndsAtMs } = row;
    if (leaseEndsAtMs > Date.now()) return { kind: 'busy', leaseEndsAtMs };
    const token = row.token + 1;
    this.#rows.set(id, { token, leaseEndsAtMs: Date.now() + leaseMs });
    return { kind: 'claimed', token };
  }

  async renew(job: { id: string; token: number; leaseMs: number }): Promise<boolean> {
    const row = this.#held(job);
    if (row) row.leaseEndsAtMs = Date.now() + job.leaseMs;
    return row !== undefined;
  }

  async complete(job: { id: string; token: number; result: unknown }): Promise<boolean> {
    const row = this.#held(job);
    if (row) row.done = { result: job.result };
    return row !== undefined;
  }

  async release(job: { id: string; token: number }): Promise<void> {
    const row = this.#held(job);
    if (row) row.leaseEndsAtMs = 0;
  }

  #held({ id, token }: { id: string; token: number }): Row | undefined {
    this.#check();
    const row = this.#rows.get(id);
    return row?.token === token ? row : undefined;
  }

  #check(): void {
    if (this.failing) throw new Error('the store is away');
  }
}
