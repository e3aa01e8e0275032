import type { Audit } from './audit/types.ts';
import type { Claims } from './claims/types.ts';
import type { JobReader } from './jobs/types.ts';
import type { Leases } from './leases/types.ts';
import type { LetterRuns } from './letter-runs/types.ts';
import type { StoredLimits } from './limits/types.ts';
import type { Outbox } from './outbox/types.ts';
import type { Projection } from './projection/types.ts';
import type { Retention } from './retention/types.ts';
import type { UniqueOutbox } from './unique/types.ts';

/** A lock by which one of several processes does something. */
export interface StoreLock {
  /** Aborted when the lock was lost: somebody else may have it. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** What an installation remembers beside the broker. */
export interface Store {
  /** `embedded`: PGlite, in this process, on disk but without fsync. */
  readonly kind: 'postgres' | 'embedded';
  readonly jobs: JobReader;
  readonly projection: Projection;
  readonly outbox: Outbox & UniqueOutbox;
  readonly claims: Claims;
  readonly limits: StoredLimits;
  readonly leases: Leases;
  readonly retention: Retention;
  readonly audit: Audit;
  readonly letterRuns: LetterRuns;
  /** Undefined while another holds it. It is free again when its holder dies. */
  tryLock(name: string): Promise<StoreLock | undefined>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
