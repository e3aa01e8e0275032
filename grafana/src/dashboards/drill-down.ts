import type { FieldLinkJson } from './grafana-model.ts';

/** What the dashboards are known by; links and bookmarks use it. */
export const UID = {
  overview: 'warren-overview',
  queue: 'warren-queue',
  failures: 'warren-failures',
  platform: 'warren-platform',
} as const;

/** Where a click on a value leads: to a dashboard, for the value of this label. */
export interface DrillDown {
  readonly to: keyof typeof UID;
  readonly by?: 'queue' | 'job_type' | 'service';
}

const TITLES = {
  overview: 'Overview',
  queue: 'This queue',
  failures: 'Retries and dead letters',
  platform: 'Platform',
} as const;

/** Grafana's link, at the same time as what it is clicked in; `place` is where the label's value is found. */
export function drillDownLink(
  { to, by }: DrillDown,
  place: '__field.labels' | '__data.fields',
): FieldLinkJson {
  const choice = by === undefined ? '' : `&var-${by}=$` + `{${place}.${by}}`;
  return { title: TITLES[to], url: `/d/${UID[to]}?$` + `{__url_time_range}${choice}` };
}
