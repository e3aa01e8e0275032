/** The development mailbox over HTTP, as a person with a browser or curl uses it. */
export interface MailboxClient {
  /** The ids of the jobs whose mails have arrived. */
  arrived(): Promise<ReadonlySet<string>>;
  /** Makes the mail server fail, or heals it. */
  fail(mode: 'none' | 'permanent' | 'offline'): Promise<void>;
}

interface Mail {
  readonly jobId: string | null;
}

/** @param url of its page */
export function mailboxClient(url: string): MailboxClient {
  return {
    async arrived() {
      const mails = (await (await fetch(`${url}/messages`)).json()) as readonly Mail[];
      return new Set(mails.flatMap(({ jobId }) => jobId ?? []));
    },
    async fail(mode) {
      const response = await fetch(`${url}/failure`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ mode }),
      });
      if (!response.ok) throw new Error(`the mailbox answered ${response.status}`);
    },
  };
}
