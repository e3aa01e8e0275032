/** States of jobs that have not ended. */
export const NOT_ENDED = [
  'accepted',
  'scheduled',
  'queued',
  'running',
  'interrupted',
  'retrying',
] as const;
