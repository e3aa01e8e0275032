/** What every scenario publishes. */
export interface BenchPayload {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Which of the scenario's jobs it is. */
  readonly order: number;
}

/** What there is around the text, in bytes of JSON. */
const AROUND = 100;

/** A mail of about so many bytes as JSON. */
export function payloadOf(bytes: number): BenchPayload {
  return {
    to: 'someone@example.org',
    subject: 'Your order has been shipped',
    text: 'x'.repeat(bytes - AROUND),
    order: 4711,
  };
}

/** About 1 kB, as the mail of an ordinary notification. */
export const payload = payloadOf(1_000);
