import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Money that was taken. */
export interface Charge {
  readonly id: string;
  readonly key: string;
  readonly orderId: string;
  readonly amount: number;
}

/** One request for a charge, and what can be done about it. */
export interface Exchange {
  readonly key: string;
  /** Who asks, by the secret that he was given. */
  readonly client: string;
  /** Takes the money, unless that was done under this key before and the provider honours keys. */
  charge(): Charge;
  answer(status: number, body: unknown, headers?: Record<string, string>): void;
  /** Ends the connection without another word. */
  die(): void;
}

export type Answerer = (exchange: Exchange) => unknown;

/** Charges, and says so. */
export const charges: Answerer = (exchange) => exchange.answer(201, exchange.charge());

/** A payment provider that answers as a test wants, and counts what it took. */
export class PaymentProvider {
  readonly charges: Charge[] = [];
  /** Keys of all requests, in their order. */
  readonly requests: string[] = [];
  readonly #honoursKeys: boolean;
  readonly #known = new Map<string, Charge>();
  readonly #scripts = new Map<string, readonly Answerer[]>();
  readonly #server = createServer((...exchange) => void this.#serve(...exchange));
  /** For requests that no script is for. */
  byDefault: Answerer = charges;

  /** @param honoursKeys false: every request takes money, as with a provider that knows no idempotency keys */
  constructor({ honoursKeys = true } = {}) {
    this.#honoursKeys = honoursKeys;
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** What becomes of the first request under a key, the second and so on; the rest by default. */
  script(key: string, ...answerers: readonly Answerer[]): void {
    this.#scripts.set(key, answerers);
  }

  requestsOf(key: string): number {
    return this.requests.filter((one) => one === key).length;
  }

  chargesOf(key: string): Charge[] {
    return this.charges.filter((charge) => charge.key === key);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = String(request.headers['idempotency-key']);
    const answerer = this.#scripts.get(key)?.[this.requestsOf(key)] ?? this.byDefault;
    this.requests.push(key);
    let text = '';
    try {
      for await (const chunk of request) text += String(chunk);
    } catch {
      return; // He is gone before he has said what he wants.
    }
    const order = JSON.parse(text) as Pick<Charge, 'orderId' | 'amount'>;
    await answerer({
      key,
      client: String(request.headers.authorization).replace(/^Bearer /, ''),
      charge: () => this.#charge(key, order),
      answer: (status, body, headers = {}) =>
        void response.writeHead(status, headers).end(JSON.stringify(body)),
      die: () => void response.destroy(),
    });
  }

  #charge(key: string, { orderId, amount }: Pick<Charge, 'orderId' | 'amount'>): Charge {
    const known = this.#known.get(key);
    if (known && this.#honoursKeys) return known;
    const charge = { id: `ch_${this.charges.length}`, key, orderId, amount };
    this.#known.set(key, charge);
    this.charges.push(charge);
    return charge;
  }
}
