import { createHmac } from 'node:crypto';

/** One message as an endpoint gets it. */
export interface SignedMessage {
  /** The same at every attempt. No dot in it: it parts what is signed. */
  readonly id: string;
  /** Of this attempt, ms since 1970. */
  readonly atMs: number;
  readonly body: string;
}

/** The headers of Standard Webhooks 1.0.0: one signature (`v1`, HMAC-SHA256) for each key. */
export function signatureHeaders(
  { id, atMs, body }: SignedMessage,
  keys: readonly Uint8Array[],
): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(atMs / 1_000));
  const signed = `${id}.${seconds}.${body}`;
  const signatures = keys.map((key) => {
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  };
}
