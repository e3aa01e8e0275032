/** One unit of work as a handler sees it. */
export interface Job<Payload = unknown> {
  readonly id: string;
  readonly type: string;
  readonly payload: Payload;
  /** Number of this run, from 1; crashes and lost connections do not raise it. */
  readonly attempt: number;
  /** 0 at first; one more at each replay or manual retry. */
  readonly generation: number;
  /** The queue that delivered it. */
  readonly queue: string;
  /** When it was first published, ms since 1970; undefined when no publisher said so. */
  readonly publishedAtMs: number | undefined;
  readonly correlationId: string | undefined;
  /** Headers that the publisher added; Warren's own are not among them. */
  readonly headers: Readonly<Record<string, unknown>>;
}
