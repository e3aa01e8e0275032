/** What the product's log says of one job. */
interface JobLine {
  readonly msg: string;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly reason?: string;
  readonly err?: { readonly message?: string };
}

/** How a job stands. */
export interface Fate {
  readonly id: string;
  readonly state: 'delivered' | 'retried' | 'dead';
  /** The run that it is about. */
  readonly attempt: number;
  /** Why it became a dead letter. */
  readonly reason: string;
  /** What the last failed run threw. */
  readonly error: string;
}

const STATES: Readonly<Record<string, Fate['state']>> = {
  'mail handed to the mail server': 'delivered',
  'attempt failed; the job is retried': 'retried',
  'job became a dead letter': 'dead',
};

/** Reads the log of the services of this process as they write it. */
export class JobLog {
  readonly #fates = new Map<string, Fate>();

  /** For `createLogger`. */
  readonly destination = { write: (line: string): void => this.#read(line) };

  /** The last that was said of each job, of those of which something was said. */
  all(): Fate[] {
    return [...this.#fates.values()];
  }

  /** The same of one job. */
  of(id: string): Fate | undefined {
    return this.#fates.get(id);
  }

  #read(line: string): void {
    const { msg, job_id: id, attempt = 0, reason = '', err } = JSON.parse(line) as JobLine;
    const state = STATES[msg];
    if (!state || id === undefined) return;
    this.#fates.set(id, { id, state, attempt, reason, error: err?.message ?? '' });
  }
}
