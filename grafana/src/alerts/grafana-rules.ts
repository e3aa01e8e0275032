import { DATASOURCE_UID, FOLDER } from '../place.ts';
import type { Alert, AlertGroup } from './alert.ts';
import { annotationsFor } from './annotations.ts';

/** A file for Grafana's `provisioning/alerting`, with the same alerts as Grafana's own rules. */
export const grafanaRules = (groups: readonly AlertGroup[]): object => ({
  apiVersion: 1,
  groups: groups.map(({ name, alerts }) => ({
    orgId: 1,
    name,
    folder: FOLDER,
    interval: '1m',
    rules: alerts.map(rule),
  })),
});

const rule = (alert: Alert): object => ({
  uid: uidOf(alert.name),
  title: alert.name,
  condition: 'condition',
  data: [query('value', alert.expr), query('fires', wrongIsOne(alert.expr)), CONDITION],
  for: alert.for ?? '0s',
  noDataState: 'OK',
  execErrState: 'Error',
  labels: { severity: alert.severity },
  annotations: annotationsFor('grafana', alert),
});

/** 1 for each series, whatever its value: Grafana compares numbers, while Prometheus alerts on any series. */
export const wrongIsOne = (expr: string): string => `(${expr}) ^ 0`;

const query = (refId: string, expr: string): object => ({
  refId,
  datasourceUid: DATASOURCE_UID,
  relativeTimeRange: { from: 600, to: 0 },
  model: { refId, expr, instant: true, range: false },
});

const CONDITION = {
  refId: 'condition',
  datasourceUid: '__expr__',
  relativeTimeRange: { from: 600, to: 0 },
  model: {
    refId: 'condition',
    type: 'threshold',
    expression: 'fires',
    conditions: [{ evaluator: { type: 'gt', params: [0] } }],
  },
};

/** `JobQueueStalled` → `job-queue-stalled`; Grafana allows 40 characters. */
export const uidOf = (name: string): string =>
  name
    .replaceAll('RabbitMQ', 'Rabbitmq')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase();
