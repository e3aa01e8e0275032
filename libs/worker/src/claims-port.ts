/** Whether a job's work may be done now. */
export type Claim =
  /** `token` grows with each claim of the job. */
  | { readonly kind: 'claimed'; readonly token: number }
  /** Somebody else works on it. */
  | { readonly kind: 'busy'; readonly leaseEndsAtMs: number }
  /** It was done before. */
  | { readonly kind: 'done'; readonly result: unknown };

/** What a worker needs so that jobs run once: the claims of the store are such. All of it may reject: then it is unknown. */
export interface ClaimsPort {
  claim(job: { queue: string; id: string; owner: string; leaseMs: number }): Promise<Claim>;
  /** False when the claim was lost to another. */
  renew(job: { queue: string; id: string; token: number; leaseMs: number }): Promise<boolean>;
  /** Keeps the result, so that no later run does the work. False when the claim was lost to another. */
  complete(job: { queue: string; id: string; token: number; result: unknown }): Promise<boolean>;
  release(job: { queue: string; id: string; token: number }): Promise<void>;
}
