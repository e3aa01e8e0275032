/** An error in one line, for people. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
