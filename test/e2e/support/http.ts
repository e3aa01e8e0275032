import { eventually } from '@warren/testing';

/** An answer of the gateway: to a job that it took, or a problem document. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly id?: string;
    readonly state?: string;
    readonly code?: string;
    readonly detail?: string;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
  };
}

/** A mail in the development mailbox. */
export interface Mail {
  readonly jobId: string | null;
  readonly to: string;
  readonly subject: string;
  readonly text: string | null;
}

/** A job that the gateway takes. */
export const mailJob = (subject: string) => ({
  type: 'email.send',
  payload: { to: 'reader@example.org', subject, text: 'Hello' },
});

/** Posts a body as it is (text) or as JSON. */
export async function postJob(
  gatewayUrl: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(`${gatewayUrl}/v1/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
}

/** Posts a job that must be taken, and yields its id. */
export async function acceptedId(gatewayUrl: string, body: unknown): Promise<string> {
  const answer = await postJob(gatewayUrl, body);
  if (answer.status === 202 && answer.body.id) return answer.body.id;
  throw new Error(`not accepted: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** The mails that fit, once there are any. */
export function mailsWhere(
  mailboxUrl: string,
  what: string,
  fits: (mail: Mail) => boolean,
): Promise<Mail[]> {
  const look = async () => {
    const mails = (await (await fetch(`${mailboxUrl}/messages`)).json()) as Mail[];
    const found = mails.filter(fits);
    return found.length > 0 && found;
  };
  // One that failed a few times waits for a retry, the longer the slower the machine is.
  return eventually(`a mail ${what}`, look, 60_000);
}

/** The mails that one job sent, once there are any. */
export const mailsOfJob = (mailboxUrl: string, id: string): Promise<Mail[]> =>
  mailsWhere(mailboxUrl, `of job ${id}`, ({ jobId }) => jobId === id);

/** Makes the development mailbox fail, or heals it. */
export async function setFailure(
  mailboxUrl: string,
  mode: 'none' | 'temporary' | 'permanent' | 'offline',
): Promise<void> {
  const response = await fetch(`${mailboxUrl}/failure`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode }),
  });
  if (!response.ok) throw new Error(`PUT /failure: ${response.status}`);
}
