import { createHash } from 'node:crypto';
import type { Job } from '@warren/contracts';
import type { EmailPayload } from './compose-mail.ts';

/** What a mail is recognised by. */
export type SentJob = Pick<Job<EmailPayload>, 'id' | 'generation' | 'payload'>;

/** As many as the largest campaign has mails: about 5 MiB. */
const REMEMBERED = 50_000;

/**
 * A bounded memory of the mails that this process has just sent, so that a duplicate of a job that comes here is not sent
 * again. It knows nothing of other processes, and forgets everything when this one ends.
 */
export class RecentlySent {
  readonly #limit: number;
  readonly #sent = new Set<string>();
  readonly #sending = new Map<string, Promise<void>>();

  constructor(limit = REMEMBERED) {
    this.#limit = limit;
  }

  /**
   * Calls `send`, unless this very mail was sent before: same id, generation and content. A duplicate that comes while the
   * first is being sent waits for it, and is sent itself only if that failed. Rejects as `send` does.
   * @returns whether it called `send`
   */
  async once(job: SentJob, send: () => Promise<void>): Promise<boolean> {
    const key = keyOf(job);
    for (let other = this.#sending.get(key); other; other = this.#sending.get(key)) {
      await other.catch(() => undefined);
    }
    if (this.#sent.has(key)) return false;
    const sending = send();
    this.#sending.set(key, sending);
    try {
      await sending;
    } finally {
      this.#sending.delete(key);
    }
    this.#remember(key);
    return true;
  }

  #remember(key: string): void {
    this.#sent.add(key);
    // A set keeps its order: the first is the oldest.
    const [oldest] = this.#sent;
    if (this.#sent.size > this.#limit && oldest !== undefined) this.#sent.delete(oldest);
  }
}

/** With the content: clients other than ours may give one id to different mails, and none of them may be swallowed. */
function keyOf({ id, generation, payload }: SentJob): string {
  const text = `${id}\n${generation}\n${JSON.stringify(payload)}`;
  return createHash('sha256').update(text).digest('base64').slice(0, 22);
}
