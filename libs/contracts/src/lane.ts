/** Priority classes, the most urgent first. Jobs of a type with lanes wait in one queue each; `normal` is the type's own. */
export const LANES = ['high', 'normal', 'low'] as const;

export type Lane = (typeof LANES)[number];

export function isLane(value: unknown): value is Lane {
  return (LANES as readonly unknown[]).includes(value);
}
