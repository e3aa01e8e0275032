export { GroupCommit } from './group-commit.ts';
export type * from './leases/types.ts';
export { migrateStore, openStore, type StoreOptions } from './open-store.ts';
export { acceptInTransaction, type QueryClient } from './outbox/accept-in-transaction.ts';
export type * from './store.ts';
export { StoreWatch } from './store-watch.ts';
export { TRACKER_LOCK } from './tracker-lock.ts';
