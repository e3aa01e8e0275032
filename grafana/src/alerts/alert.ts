/**
 * How soon somebody has to look. `page`: now, also at night; users notice or will within the hour.
 * `ticket`: in working hours. `none`: nobody, it proves that alerting works.
 */
export type Severity = 'page' | 'ticket' | 'none';

/** One alert. The rules of Prometheus and of Grafana are made from it; `docs/runbook.md` has a section of its name. */
export interface Alert {
  readonly name: string;
  readonly severity: Severity;
  /** PromQL that returns a series for each thing that is wrong, and nothing otherwise. */
  readonly expr: string;
  /** For how long it must be so, for example `5m`. Default: at once. */
  readonly for?: string;
  /** For how long the alert stays on afterwards; Prometheus only. */
  readonly keepFiringFor?: string;
  /** One line for whoever is called. `{queue}` is a label, `{value}` the expression's value; see `summaryFor`. */
  readonly summary: string;
}

/** Alerts that belong together. */
export interface AlertGroup {
  readonly name: string;
  readonly alerts: readonly Alert[];
}
