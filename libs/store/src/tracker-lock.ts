/** The lock of whoever reads the history into the store: one of an installation at a time. */
export const TRACKER_LOCK = 'tracker';
