import type { ConfigOf } from './setting.ts';
import type { historySettings } from './shared-settings.ts';

/** How much of the history the broker keeps, as the environment says: what `history` is to a topology. */
export function historyBounds(config: ConfigOf<typeof historySettings>): {
  readonly maxAge: string;
  readonly maxBytes: number;
} {
  return { maxAge: `${config.HISTORY_MAX_AGE_DAYS}D`, maxBytes: config.HISTORY_MAX_BYTES };
}
