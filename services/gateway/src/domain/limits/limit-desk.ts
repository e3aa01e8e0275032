import { type ControlState, type LimitReading, limiting, mergeLimits } from '@warren/client';
import { type JobDefinition, LimitMissingError, type LimitRate } from '@warren/contracts';
import type { WorkerWatch } from '@warren/history';
import type { LimitUse, StoredLimits } from '@warren/store';
import type { WriteDown } from '../write-down.ts';

/** What can be seen of limits, and done to them. */
export interface LimitDesk {
  /** Without what is used of them while the store is away. @throws BrokerUnavailableError */
  limits(): Promise<readonly LimitReading<LimitUse>[]>;
  /**
   * Sets the rate of a limit in all workers, for all its keys; undefined takes it back.
   * @throws ConfigInvalidError naming the field; LimitMissingError; as `ControlState.change`
   */
  set(limit: string, rate: LimitRate | undefined, by: string): Promise<void>;
}

/** What a desk is made of. */
export interface LimitDeskOptions {
  readonly control: Pick<ControlState, 'current' | 'change'>;
  readonly watch: Pick<WorkerWatch, 'limits'>;
  readonly store: Pick<StoredLimits, 'uses'>;
  readonly jobTypes: readonly Pick<JobDefinition, 'type' | 'limit'>[];
  readonly writeDown: WriteDown;
}

export function createLimitDesk(options: LimitDeskOptions): LimitDesk {
  const { control, watch, store, jobTypes, writeDown } = options;
  const limits = async () => {
    const [told, current, uses] = await Promise.all([
      watch.limits(),
      control.current(),
      store.uses().catch(() => []),
    ]);
    return mergeLimits({ told, jobTypes, control: current, uses });
  };
  return {
    limits,
    async set(limit, rate, by) {
      const edit = limiting(limit, rate);
      const known = await limits();
      if (!known.some(({ name }) => name === limit)) {
        throw new LimitMissingError(limit.slice(0, 200));
      }
      const details = { limit, ...(rate ?? { reset: true }) };
      await control.change(edit, () => writeDown(by, 'limit.set', details));
    },
  };
}
