import type { LimitRate } from '@warren/contracts';
import type { LimitUse } from '@warren/store';

/** `60/1m`, and what may come at once where that is said. */
export function rateText({ rate, per, burst }: LimitRate): string {
  return burst === undefined ? `${rate}/${per}` : `${rate}/${per}, ${burst} at once`;
}

/** How many keys are in use, and the longest wait among them. */
export function usedText(use: LimitUse | undefined): string {
  if (!use) return '';
  const [busiest] = use.busiest;
  if (!busiest) return 'nothing';
  const { key, left, burst, freeInMs, putOffMs } = busiest;
  const whose = key === '' ? '' : `${use.keys} ${use.keys === 1 ? 'key' : 'keys'}, ${key}: `;
  const waitMs = Math.max(freeInMs, putOffMs);
  const next = left > 0 ? `${left} of ${burst} free` : `full for ${(waitMs / 1_000).toFixed(1)} s`;
  return `${whose}${next}`;
}
