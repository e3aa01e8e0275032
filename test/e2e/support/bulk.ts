import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';

/** One line of the answer to a stream of jobs: what became of an item, or the counts at last. */
export interface BulkLine {
  readonly index?: number;
  readonly id?: string;
  readonly error?: { readonly code: string; readonly id?: string };
  readonly accepted?: number;
  readonly rejected?: number;
}

/** What came of a whole stream. */
export interface BulkReport {
  readonly status: number;
  readonly ids: string[];
  /** Error codes of items, each as often as it came. */
  readonly codes: string[];
  /** The counts; absent where the answer was cut off. */
  readonly last: BulkLine | undefined;
}

/** A stream of jobs to a gateway, written and read at the same time. */
export class BulkStream {
  readonly ids: string[] = [];
  readonly codes: string[] = [];
  readonly #sent: ClientRequest;
  readonly #report: Promise<BulkReport>;
  #isOver = false;

  constructor(gatewayUrl: string) {
    const headers = { 'content-type': 'application/x-ndjson' };
    this.#sent = request(`${gatewayUrl}/v1/jobs/bulk`, { method: 'POST', headers });
    this.#sent.on('error', () => {});
    this.#report = this.#read();
  }

  /** The answer has ended: writing on is of no use. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Writes lines; resolves when the connection takes more. */
  async write(text: string): Promise<void> {
    if (this.#isOver || this.#sent.destroyed || this.#sent.write(text)) return;
    const over = new AbortController();
    const { signal } = over;
    await Promise.race([
      once(this.#sent, 'drain', { signal }),
      once(this.#sent, 'close', { signal }),
      this.#report,
    ]).catch(() => {});
    over.abort();
  }

  /** Ends the request. */
  end(): Promise<BulkReport> {
    this.#sent.end();
    return this.#report;
  }

  /** Goes away without another word. */
  async abandon(): Promise<void> {
    this.#sent.destroy();
    await this.#report;
  }

  async #read(): Promise<BulkReport> {
    const { ids, codes } = this;
    let last: BulkLine | undefined;
    let status = 0;
    try {
      const [answer] = (await once(this.#sent, 'response')) as [IncomingMessage];
      status = answer.statusCode ?? 0;
      for await (const text of createInterface({ input: answer })) {
        const line = JSON.parse(text) as BulkLine;
        if (line.index === undefined) last = line;
        else if (line.id !== undefined) ids.push(line.id);
        else codes.push(String(line.error?.code));
      }
    } catch {
      // Cut off: what has been read stands.
    }
    this.#isOver = true;
    return { status, ids, codes, last };
  }
}
