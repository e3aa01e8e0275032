/** Reference loops that each operation takes, by its name. */
export type Ratios = Readonly<Record<string, number>>;

/** Not a regression but what machines, versions of Node and neighbours on the machine make of the same code. */
const BAND = 2;

/** Some ten nanoseconds: for the least operations the compiler's luck is more than their own time. */
const SLACK = 0.01;

/**
 * What is wrong in the ratios, a sentence each: operations that take more than twice what the baseline says,
 * and those that only one of both knows.
 */
export function problemsIn(measured: Ratios, baseline: Ratios): string[] {
  const missing = Object.keys(baseline).filter((name) => !Object.hasOwn(measured, name));
  return [
    ...Object.entries(measured).flatMap(([name, ratio]) => problemOf(name, ratio, baseline[name])),
    ...missing.map((name) => `"${name}" is in the baseline, and no operation has that name`),
  ];
}

/** Whether it takes far longer than its baseline says. */
export function isSlower(ratio: number, expected: number): boolean {
  return ratio > expected * BAND + SLACK;
}

function problemOf(name: string, ratio: number, expected: number | undefined): string[] {
  if (expected === undefined) return [`"${name}" has no baseline`];
  if (!isSlower(ratio, expected)) return [];
  const times = (ratio / expected).toFixed(1);
  return [
    `"${name}" takes ${ratio} reference loops, ${times} times its baseline of ${expected}; ${BAND} times are allowed`,
  ];
}
