import type { Outbox } from '@warren/store';

/** A history that cannot be written for longer is not waited for: its relay would lose the lease, and publish again. */
const TOLD_WITHIN_MS = 5_000;
/** Once it was waited for in vain: jobs must not leave the outbox at the pace of a history that is away. */
const BEHIND_WITHIN_MS = 100;

/**
 * The outbox, whose rows are forgotten only when the history tells of their jobs. Before, a gateway that is killed leaves rows
 * that are published and told again; after, all that the store knows of them can be read from the history once more.
 */
export function tellFirst(
  outbox: Outbox,
  history: { whenTold(timeoutMs: number): Promise<boolean> },
): Outbox {
  let isBehind = false;
  return {
    ...outbox,
    async done(ids) {
      isBehind = !(await history.whenTold(isBehind ? BEHIND_WITHIN_MS : TOLD_WITHIN_MS));
      await outbox.done(ids);
    },
  };
}
