/**
 * A delivery that failed this time; another attempt may succeed. Its message names the host and never more of the URL, whose
 * path or query may hold a secret: messages end up in headers and logs.
 */
export class DeliveryError extends Error {
  /** Whether it speaks of the host as a whole, and not only of this endpoint on it or of this event. */
  readonly speaksOfHost: boolean;

  constructor(host: string, problem: string, speaksOfHost: boolean) {
    super(`webhook: ${host} ${problem}`);
    this.name = 'DeliveryError';
    this.speaksOfHost = speaksOfHost;
  }
}

/** Whether a failure speaks against the host: its circuit counts these. */
export function speaksOfHost(error: unknown): boolean {
  return !(error instanceof DeliveryError) || error.speaksOfHost;
}
