/** Bounds of what is kept of a job, in bytes of UTF-8 where they are sizes. */
export const LIMITS = {
  /** AMQP's short string: ids, queues, types, runs, names of workers. */
  nameBytes: 255,
  errorNameBytes: 200,
  messageBytes: 4_096,
  stackBytes: 8_192,
  resultBytes: 262_144,
  /** One line of a log, and its fields. */
  lineBytes: 16_384,
  /** Newest lines of a job that are kept. */
  linesPerJob: 1_000,
  attempts: 1_000,
  integer: 2_147_483_647,
  /** The last moment that a Date can name. */
  timeMs: 8_640_000_000_000_000,
} as const;
