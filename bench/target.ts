/** What a comparison must show: a bound of the ratio, or of the subject's own figure. */
export interface Target {
  readonly of: 'ratio' | 'subject';
  readonly bound: 'at least' | 'at most';
  readonly value: number;
}

/** Subject / against must not be below. */
export const ratioAtLeast = (value: number): Target => ({ of: 'ratio', bound: 'at least', value });

/** Subject / against must not be above: for what is better when it is less. */
export const ratioAtMost = (value: number): Target => ({ of: 'ratio', bound: 'at most', value });

/** The subject's own figure must not be above. */
export const subjectAtMost = (value: number): Target => ({
  of: 'subject',
  bound: 'at most',
  value,
});

/** A target in words, and whether it is met. */
export function verdictOf(
  { of, bound, value }: Target,
  unit: string,
  { ratio, subjectMedian }: { readonly ratio: number; readonly subjectMedian: number },
): { target: string; isMet: boolean } {
  const figure = of === 'ratio' ? ratio : subjectMedian;
  const isMet = bound === 'at least' ? figure >= value : figure <= value;
  return { target: `${bound} ${of === 'ratio' ? value.toFixed(2) : `${value} ${unit}`}`, isMet };
}
