/** A file in the folder of documents. */
export interface KeptFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly usedAtMs: number;
  /** Nobody waits for it: it was analysed, or what was to analyse it has become too old. */
  readonly isSpare: boolean;
}

/**
 * Which files have to go so that the rest is not larger than `maxBytes`: spare ones, those not used for longest first.
 * @returns undefined where all the spare ones are not enough
 */
export function chooseEvictions(
  files: readonly KeptFile[],
  maxBytes: number,
): readonly KeptFile[] | undefined {
  let excess = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, -maxBytes);
  const evicted: KeptFile[] = [];
  const spare = files.filter(({ isSpare }) => isSpare).sort((a, b) => a.usedAtMs - b.usedAtMs);
  for (const file of spare) {
    if (excess <= 0) break;
    evicted.push(file);
    excess -= file.sizeBytes;
  }
  return excess <= 0 ? evicted : undefined;
}
