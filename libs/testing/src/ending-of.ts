/** How a promise ended: `ok`, or the error's stable code (its name where it has none). Never rejects. */
export async function endingOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'ok';
  } catch (error) {
    const { code, name } = error as { code?: unknown; name?: unknown };
    return String(code ?? name ?? error);
  }
}

/** How often each ending occurs. */
export async function endingsOf(promises: readonly Promise<unknown>[]) {
  const counts: Record<string, number> = {};
  for (const ending of await Promise.all(promises.map(endingOf))) {
    counts[ending] = (counts[ending] ?? 0) + 1;
  }
  return counts;
}
