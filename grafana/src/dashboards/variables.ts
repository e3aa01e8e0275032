import { DATASOURCE_UID } from '../place.ts';
import type { VariableJson } from './grafana-model.ts';
import { DATASOURCE } from './panel-json.ts';

/** A choice at the top of a dashboard, from the values of a label. */
export interface Variable {
  readonly name: string;
  readonly label: string;
  /** For example `label_values(jobs_queue_info, queue)`. */
  readonly query: string;
  /** Whether several, or all, can be chosen; use it as `label=~"$name"`. */
  readonly several: boolean;
}

/** A choice of a few numbers; use it as `$name`. */
export interface Choice {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  /** Chosen when the dashboard is opened. */
  readonly value: string;
}

export const QUEUE: Variable = {
  name: 'queue',
  label: 'Queue',
  query: 'label_values(jobs_queue_info{role="work"}, queue)',
  several: false,
};

export const JOB_TYPE: Variable = {
  name: 'job_type',
  label: 'Job type',
  query: 'label_values(jobs_completed_total, job_type)',
  several: true,
};

export const SERVICE: Variable = {
  name: 'service',
  label: 'Service',
  query: 'label_values(up{job="warren"}, service)',
  several: true,
};

export const DATASOURCE_VARIABLE: VariableJson = {
  name: 'datasource',
  label: 'Data source',
  type: 'datasource',
  query: 'prometheus',
  current: { selected: false, text: 'Prometheus', value: DATASOURCE_UID },
  refresh: 1,
  hide: 0,
};

/** `.*`, not Grafana's list of all values: what appears later belongs to "all". */
const ALL = '.*';

/** Shares, shown as percentages. */
export function choiceJson({ name, label, values, value }: Choice): VariableJson {
  const text = (share: string) => `${Number((Number(share) * 100).toFixed(3))} %`;
  const option = (share: string) => ({
    selected: share === value,
    text: text(share),
    value: share,
  });
  return {
    name,
    label,
    type: 'custom',
    query: values.map((share) => `${text(share)} : ${share}`).join(', '),
    options: values.map(option),
    current: option(value),
    multi: false,
    includeAll: false,
    hide: 0,
  };
}

export const variableJson = ({ name, label, query, several }: Variable): VariableJson => ({
  name,
  label,
  type: 'query',
  datasource: DATASOURCE,
  definition: query,
  query: { query, refId: `Variable-${name}` },
  refresh: 2,
  sort: 1,
  multi: several,
  includeAll: several,
  ...(several && { allValue: ALL, current: { selected: true, text: 'All', value: '$__all' } }),
  hide: 0,
});
