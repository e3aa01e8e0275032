import { stringify } from 'yaml';
import { grafanaRules } from './alerts/grafana-rules.ts';
import { ALERT_GROUPS } from './alerts/index.ts';
import { prometheusRules } from './alerts/prometheus-rules.ts';
import { dashboardJson } from './dashboards/dashboard.ts';
import { DASHBOARDS } from './dashboards/index.ts';
import { RECORDINGS } from './recordings.ts';

const NOTE = '# Made by `npm run grafana` from grafana/src; a test fails while it is stale.\n';

const yaml = (content: object): string =>
  NOTE + stringify(content, { lineWidth: 0, aliasDuplicateObjects: false });

/** Everything that is generated: texts by their path below `grafana/generated`. */
export const generatedFiles: Readonly<Record<string, string>> = {
  'prometheus-rules.yml': yaml(prometheusRules(ALERT_GROUPS, RECORDINGS)),
  'grafana-rules.yml': yaml(grafanaRules(ALERT_GROUPS)),
  ...Object.fromEntries(
    DASHBOARDS.map((dashboard) => [
      `dashboards/${dashboard.uid}.json`,
      `${JSON.stringify(dashboardJson(dashboard), null, 2)}\n`,
    ]),
  ),
};
