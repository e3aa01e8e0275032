/** What of a profile is due to one place: microseconds, or bytes. */
export interface Share {
  readonly where: string;
  readonly amount: number;
}

/** Adds up what is due to each place, the greatest first. */
export function addUp(parts: Iterable<Share>): Share[] {
  const sums = new Map<string, number>();
  for (const { where, amount } of parts) sums.set(where, (sums.get(where) ?? 0) + amount);
  return [...sums]
    .map(([where, amount]) => ({ where, amount }))
    .sort((a, b) => b.amount - a.amount);
}

/**
 * Lines of a table: so much for each job, what part of all that is, and where; the greatest `top` of them below their sum.
 * @param count of jobs
 */
export function toLines(shares: readonly Share[], count: number, top: number): string[] {
  const all = shares.reduce((sum, { amount }) => sum + amount, 0);
  const line = (amount: number, where: string) => {
    const perJob = amount / count;
    const figure = perJob.toFixed(all / count < 1_000 ? 2 : 0).padStart(8);
    return `${figure} ${((100 * amount) / (all || 1)).toFixed(1).padStart(5)} %  ${where}`;
  };
  return [
    line(all, 'all'),
    ...shares.slice(0, top).map(({ amount, where }) => line(amount, where)),
  ];
}
