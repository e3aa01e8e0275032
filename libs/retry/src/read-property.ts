/** A property of any value whatever; undefined where it is absent or reading it throws. */
export function readProperty(value: unknown, key: string): unknown {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function'))
    return undefined;
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** A property that holds text; undefined where it holds anything else. */
export function readText(value: unknown, key: string): string | undefined {
  const text = readProperty(value, key);
  return typeof text === 'string' ? text : undefined;
}
