/** A file that came with a mail; its content is not kept. */
export interface ReceivedAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** A mail that the development mailbox received. */
export interface ReceivedMail {
  readonly id: string;
  /** From the `X-Job-Id` header; null for mails that no job sent. */
  readonly jobId: string | null;
  readonly messageId: string | null;
  readonly from: string;
  /** The addresses that it was delivered to, whatever its headers say. */
  readonly to: string;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  /** The first address of `Reply-To`. */
  readonly replyTo: string | null;
  readonly attachments: readonly ReceivedAttachment[];
  /** ISO 8601. */
  readonly receivedAt: string;
}

/** The last mails, in memory. */
export interface MailStore {
  add(mail: ReceivedMail): void;
  /** Newest first. */
  list(): readonly ReceivedMail[];
  find(id: string): ReceivedMail | undefined;
  clear(): void;
  /** Changes with every change of the content. */
  revision(): number;
}

export function createMailStore(limit: number): MailStore {
  let mails: readonly ReceivedMail[] = [];
  let revision = 0;
  const replace = (next: readonly ReceivedMail[]): void => {
    mails = next;
    revision += 1;
  };
  return {
    add: (mail) => replace([mail, ...mails.slice(0, limit - 1)]),
    list: () => mails,
    find: (id) => mails.find((mail) => mail.id === id),
    clear: () => replace([]),
    revision: () => revision,
  };
}
