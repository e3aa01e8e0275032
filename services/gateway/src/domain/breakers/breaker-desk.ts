import { type CircuitReading, type ControlState, holding, mergeCircuits } from '@warren/client';
import type { WorkerWatch } from '@warren/history';
import type { WriteDown } from '../write-down.ts';

/** What can be seen of circuit breakers, and done to them. */
export interface BreakerDesk {
  /** @throws BrokerUnavailableError */
  circuits(): Promise<readonly CircuitReading[]>;
  /** Holds a breaker open or closed in all workers; undefined lets it go. @throws ConfigInvalidError naming `breaker`; as `ControlState.change` */
  hold(breaker: string, state: 'open' | 'closed' | undefined, by: string): Promise<void>;
}

/** What a desk is made of. */
export interface BreakerDeskOptions {
  readonly control: Pick<ControlState, 'current' | 'change'>;
  readonly watch: Pick<WorkerWatch, 'circuits'>;
  readonly writeDown: WriteDown;
}

export function createBreakerDesk({ control, watch, writeDown }: BreakerDeskOptions): BreakerDesk {
  return {
    async circuits() {
      const [told, current] = await Promise.all([watch.circuits(), control.current()]);
      return mergeCircuits(told, current);
    },
    hold: (breaker, state, by) =>
      control.change(holding(breaker, state), () =>
        writeDown(by, 'breaker.set', { breaker, state: state ?? 'auto' }),
      ),
  };
}
