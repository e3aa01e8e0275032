/** What one run of a job produced. */
export type Outcome =
  | { readonly kind: 'succeeded'; readonly result: unknown }
  /** The handler threw `error`, which may be any value. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'timed-out'; readonly error: Error }
  /** Interrupted for reasons that are not the job's: shutdown, a lost delivery, a pause. */
  | { readonly kind: 'cancelled'; readonly error: Error }
  /** Somebody cancelled the job itself; `by` says who, if they said so. */
  | { readonly kind: 'withdrawn'; readonly by: string | undefined }
  /** The body could not be decoded; no handler ran. */
  | { readonly kind: 'unreadable'; readonly error: Error }
  /** The payload does not fit the job type's schema; no handler ran. */
  | { readonly kind: 'invalid'; readonly error: Error };
