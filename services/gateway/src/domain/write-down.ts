import type { Store } from '@warren/store';

/** Writes down, in the audit, who does what on purpose; before it is done, which it is not where this rejects. */
export type WriteDown = (
  by: string,
  action: string,
  details: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** Into the audit of the store. */
export function writerDown({ audit }: Pick<Store, 'audit'>): WriteDown {
  return (actor, action, details) => audit.write({ actor, action, details });
}
