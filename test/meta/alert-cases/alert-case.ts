/** Series by name and labels, with their values in promtool's notation, one a minute from 0. */
type Series = Readonly<Record<string, string>>;

/** When an alert fires, and what keeps it quiet. */
export interface AlertCase {
  readonly series: Series;
  /** For example `20m`. */
  readonly at: string;
  /** What fires then: labels besides the severity, and the summary as a person reads it. */
  readonly fires: readonly {
    readonly labels: Readonly<Record<string, string>>;
    readonly summary: string;
  }[];
  /** What it also fires for, the same: the series that differ from `series`. */
  readonly alsoFires?: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
  /** By why nothing fires: the series that differ from `series`; `null` takes one away. */
  readonly quiet: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
}

/** Cases by the names of alerts. */
export type AlertCases = Readonly<Record<string, AlertCase>>;

export const ready = (queue: string) =>
  `rabbitmq_detailed_queue_messages_ready{vhost="/",queue="${queue}",instance="r1"}`;
export const consumers = (queue: string) =>
  `rabbitmq_detailed_queue_consumers{vhost="/",queue="${queue}",instance="r1"}`;
export const role = (queue: string, name: string) =>
  `jobs_queue_info{queue="${queue}",role="${name}",instance="w1"}`;
