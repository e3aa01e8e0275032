/** Alerts and dashboards as data; `npm run grafana` makes the files in grafana/generated from them. */

export type { Alert, AlertGroup } from './alerts/alert.ts';
export { runbookUrl } from './alerts/annotations.ts';
export { uidOf, wrongIsOne } from './alerts/grafana-rules.ts';
export { ALERT_GROUPS, ALERTS } from './alerts/index.ts';
export { prometheusRules } from './alerts/prometheus-rules.ts';
export { RUNBOOK } from './alerts/runbook-address.ts';
export { summaryFor } from './alerts/summary.ts';
export { ANNOTATIONS } from './dashboards/annotations.ts';
export { DASHBOARDS } from './dashboards/index.ts';
export { LOGS, TRACES } from './dashboards/search-links.ts';
export { generatedFiles } from './generated-files.ts';
export { RECORDINGS } from './recordings.ts';
