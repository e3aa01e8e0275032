import { firstTables } from './0001-first-tables.ts';
import { uniqueKeys } from './0002-unique-keys.ts';
import { drops } from './0003-drops.ts';
import { limits } from './0004-limits.ts';
import { leases } from './0005-leases.ts';
import { jobSearch } from './0006-job-search.ts';
import { letterRuns } from './0007-letter-runs.ts';
import { leaseRequests } from './0008-lease-requests.ts';
import { waitingRuns } from './0009-waiting-runs.ts';
import type { Migration } from './migration.ts';

/** All steps, in order. One that was released is never changed: add another. */
export const MIGRATIONS: readonly Migration[] = [
  firstTables,
  uniqueKeys,
  drops,
  limits,
  leases,
  jobSearch,
  letterRuns,
  leaseRequests,
  waitingRuns,
];

export type { Migration } from './migration.ts';
