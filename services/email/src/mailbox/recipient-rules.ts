import { type FailureMode, rejectionFor } from './failure-mode.ts';

/** Decides about recipients by their address, whatever mode the mailbox is in. */
export interface RecipientRules {
  /** The reply to RCPT TO: an error with its reply code, or nothing to accept. */
  reject(address: string): Error | null;
}

/** No such mailbox, ever: 550. */
const REFUSED = 'refuse.test';
/** Try again later, every other time that an address is tried: 451. */
const BUSY = 'busy.test';

/** Addresses that were told to come back; more than anybody tries by hand. */
const MAX_REMEMBERED = 10_000;

/** Rules for two domains that no real mail can have (RFC 6761), so that single recipients can fail among others. */
export function createRecipientRules(): RecipientRules {
  const turnedAway = new Set<string>();
  const busy = (address: string): FailureMode => {
    if (turnedAway.delete(address)) return 'none';
    if (turnedAway.size < MAX_REMEMBERED) turnedAway.add(address);
    return 'temporary';
  };
  return {
    reject(address) {
      const known = address.toLowerCase();
      if (known.endsWith(`@${REFUSED}`)) return rejectionFor('permanent');
      return known.endsWith(`@${BUSY}`) ? rejectionFor(busy(known)) : null;
    },
  };
}
