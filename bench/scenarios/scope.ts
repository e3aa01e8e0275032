/** What scenarios are made for, besides the broker's URL. */
export interface Scope {
  /** The share of its jobs, for what takes long. */
  readonly scale: number;
  /** RabbitMQ's version. */
  readonly broker: string;
}
