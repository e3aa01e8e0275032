import type { PublisherOptions } from '@warren/broker';
import { ConfigInvalidError } from '@warren/contracts';
import type { Logger, Metrics } from '@warren/telemetry';
import type { OutboxPort } from './outbox-port.ts';
import type { Outlet } from './outlet.ts';

/** How a relay works; each has a default. */
export interface RelayBounds {
  /** How often to look for new messages; that is how late one may be. Default 100. */
  readonly pollMs?: number | undefined;
  /** Messages in hand at once. Default 500. */
  readonly maxInHand?: number | undefined;
  /** Their bodies together; a larger one goes by itself. Default 32 MiB. */
  readonly maxBytesInHand?: number | undefined;
  /** From sending a message to its confirm. Default 10,000. */
  readonly publishTimeoutMs?: number | undefined;
  /** What a relay that died had in hand is taken by others after this: at least twice `publishTimeoutMs`. Default 30,000. */
  readonly leaseMs?: number | undefined;
}

/** What a relay needs. */
export interface OutboxRelayOptions extends RelayBounds {
  readonly outbox: OutboxPort;
  /** A client, as `connectJobs` makes them. */
  readonly jobs: { openOutlet(options: PublisherOptions): Outlet };
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const MAX_MS = 600_000;
const MAX_IN_HAND = 10_000;
const MAX_BYTES_IN_HAND = 1024 * 1024 * 1024;

/** @throws ConfigInvalidError naming the option */
export function checkBounds(bounds: RelayBounds): Required<{
  readonly [Name in keyof RelayBounds]: number;
}> {
  const { pollMs = 100, maxInHand = 500, publishTimeoutMs = 10_000, leaseMs = 30_000 } = bounds;
  const { maxBytesInHand = 32 * 1024 * 1024 } = bounds;
  check('pollMs', pollMs, 1, MAX_MS);
  check('maxInHand', maxInHand, 1, MAX_IN_HAND);
  check('maxBytesInHand', maxBytesInHand, 1, MAX_BYTES_IN_HAND);
  check('publishTimeoutMs', publishTimeoutMs, 1, MAX_MS);
  check('leaseMs', leaseMs, 2 * publishTimeoutMs, 10 * MAX_MS);
  return { pollMs, maxInHand, maxBytesInHand, publishTimeoutMs, leaseMs };
}

function check(name: string, value: unknown, min: number, max: number): void {
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max) {
    throw new ConfigInvalidError(name, `expected ${min} to ${max}, got ${String(value)}`);
  }
}
