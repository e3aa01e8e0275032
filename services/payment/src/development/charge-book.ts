import type { ChargeRequest } from '../domain/charge.ts';

/** A charge that was not made: money of nobody. */
export interface DevelopmentCharge extends ChargeRequest {
  readonly id: string;
  readonly idempotencyKey: string;
  /** How often it was asked for. */
  readonly requests: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** What the provider answers. */
export interface BookAnswer {
  readonly status: number;
  readonly retryAfterSeconds?: number;
  readonly body: unknown;
}

/** Customers whose charges fail, to see what becomes of a job then. */
const DECLINED = 'cus_declined';
const BUSY = 'cus_busy';

/** Charges in memory, by their keys: the oldest go, and their keys are forgotten. */
export class ChargeBook {
  readonly #limit: number;
  readonly #charges = new Map<string, DevelopmentCharge>();
  /** Keys of busy customers, who are charged when they are asked again. */
  readonly #asked = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Newest first. */
  list(): DevelopmentCharge[] {
    return [...this.#charges.values()].reverse();
  }

  /** @param request as it came */
  charge(key: string | undefined, request: unknown, nowMs: number): BookAnswer {
    if (!key) return refusal(400, 'idempotency_key_missing');
    if (!isRequest(request)) return refusal(400, 'invalid_request');
    const known = this.#charges.get(key);
    if (known) return this.#repeat(known, request);
    if (request.customer === DECLINED) return refusal(402, 'card_declined');
    if (request.customer === BUSY && !this.#asked.has(key)) {
      this.#remember(this.#asked, key);
      this.#asked.add(key);
      return { ...refusal(503, 'busy'), retryAfterSeconds: 1 };
    }
    const { orderId, amount, currency, customer } = request;
    const charge: DevelopmentCharge = {
      id: `dev_${key}`,
      orderId,
      amount,
      currency,
      customer,
      idempotencyKey: key,
      requests: 1,
      createdAt: new Date(nowMs).toISOString(),
    };
    this.#remember(this.#charges, key);
    this.#charges.set(key, charge);
    return { status: 201, body: charge };
  }

  #repeat(known: DevelopmentCharge, request: ChargeRequest): BookAnswer {
    const isSame = (['orderId', 'amount', 'currency', 'customer'] as const).every(
      (field) => known[field] === request[field],
    );
    if (!isSame) return refusal(422, 'idempotency_key_reused');
    const charge = { ...known, requests: known.requests + 1 };
    this.#charges.set(known.idempotencyKey, charge);
    return { status: 200, body: charge };
  }

  /** Makes room for one more. */
  #remember(kept: Map<string, unknown> | Set<string>, key: string): void {
    const [oldest] = kept.keys();
    if (!kept.has(key) && kept.size >= this.#limit && oldest !== undefined) kept.delete(oldest);
  }
}

function refusal(status: number, code: string): BookAnswer {
  return { status, body: { code } };
}

function isRequest(value: unknown): value is ChargeRequest {
  const { orderId, amount, currency, customer } = Object(value) as Record<string, unknown>;
  const isText = [orderId, currency, customer].every((text) => typeof text === 'string');
  return isText && Number.isSafeInteger(amount) && (amount as number) > 0;
}
