import type { Delivery } from '@warren/broker';

/** A delivery that a test can lose. */
export function heldDelivery(): { readonly delivery: Delivery; lose(): void } {
  const listeners = new Set<() => void>();
  const state = {
    isLost: false,
    onLost(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const lose = () => {
    state.isLost = true;
    for (const listener of listeners) listener();
  };
  return { delivery: state as unknown as Delivery, lose };
}
