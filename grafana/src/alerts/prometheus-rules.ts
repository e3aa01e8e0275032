import type { Recording } from '../recordings.ts';
import type { Alert, AlertGroup } from './alert.ts';
import { annotationsFor } from './annotations.ts';

/** A rule file of Prometheus 2.42 or newer. */
export const prometheusRules = (
  groups: readonly AlertGroup[],
  recordings: readonly Recording[] = [],
): object => ({
  groups: [
    ...(recordings.length > 0 ? [{ name: 'warren-objectives', rules: recordings }] : []),
    ...groups.map(({ name, alerts }) => ({ name, rules: alerts.map(rule) })),
  ],
});

const rule = (alert: Alert): object => ({
  alert: alert.name,
  expr: alert.expr,
  ...(alert.for && { for: alert.for }),
  ...(alert.keepFiringFor && { keep_firing_for: alert.keepFiringFor }),
  labels: { severity: alert.severity },
  annotations: annotationsFor('prometheus', alert),
});
