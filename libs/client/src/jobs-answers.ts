/** The broker has the job: stored, and in a queue. */
export interface PublishedJob {
  readonly id: string;
}

/** Whether jobs can be published now, and what is wrong, by part. */
export interface JobsReadiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, string>>;
}
