/** Whether a job's work may be done now. */
export type Claim =
  /** `token` grows with each claim: pass it on to fence off those that were given up. */
  | { readonly kind: 'claimed'; readonly token: number }
  | { readonly kind: 'busy'; readonly leaseEndsAtMs: number }
  | { readonly kind: 'done'; readonly result: unknown };

/** At most one run of a job at a time, and none after it succeeded. */
export interface Claims {
  claim(job: { queue: string; id: string; owner: string; leaseMs: number }): Promise<Claim>;
  /** False when the claim was lost to another. */
  renew(job: { queue: string; id: string; token: number; leaseMs: number }): Promise<boolean>;
  /** Keeps the result, so that no later run does the work. False when the claim was lost. */
  complete(job: { queue: string; id: string; token: number; result: unknown }): Promise<boolean>;
  release(job: { queue: string; id: string; token: number }): Promise<void>;
}
