/** Writes down, in the audit, who does what on purpose; before it is done, which it is not where this rejects. */
export type WriteDown = (
  by: string,
  action: string,
  details: Readonly<Record<string, unknown>>,
) => Promise<void>;
