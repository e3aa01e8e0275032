import { stringify } from 'yaml';
import { ALERT_GROUPS, prometheusRules, RECORDINGS } from '../../grafana/src/index.ts';

/** The rule file for Prometheus as it is, but nobody waits minutes here. */
export const rulesAtOnce = (): string =>
  stringify(
    prometheusRules(
      ALERT_GROUPS.map((group) => ({
        ...group,
        alerts: group.alerts.map(({ for: _, ...alert }) => alert),
      })),
      RECORDINGS,
    ),
  );
