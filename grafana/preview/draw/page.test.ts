import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type DashboardFile, readDashboards } from '../read/dashboard-file.ts';
import type { PanelData } from '../read/panel-data.ts';
import { pageOf } from './page.ts';

const dashboards = readDashboards(join(import.meta.dirname, '../../generated/dashboards'));
const happenings = [{ atSeconds: 120, color: 'red' }];
const window = { fromSeconds: 0, untilSeconds: 240, stepSeconds: 5, happenings };
const none: Record<string, PanelData> = {
  stat: { kind: 'stat', value: undefined },
  table: { kind: 'table', table: { columns: [], rows: [] } },
  timeseries: { kind: 'timeseries', series: [] },
  heatmap: { kind: 'heatmap', series: [] },
};

const drawn = (dashboard: DashboardFile, of: (type: string) => PanelData | undefined) =>
  pageOf({ dashboard, choices: {}, data: dashboard.panels.map(({ type }) => of(type)), window });

it.each(dashboards)('has every heading and panel of $title', (dashboard) => {
  const page = drawn(dashboard, (type) => none[type]);
  const count = (tag: string) => page.split(`<${tag} `).length - 1;
  const rows = dashboard.panels.filter(({ type }) => type === 'row').length;
  expect(count('h2')).toBe(rows);
  expect(count('section')).toBe(dashboard.panels.length - rows);
});

it('says plainly where there is nothing to show', () => {
  const [dashboard] = dashboards.filter(({ uid }) => uid === 'warren-overview');
  const page = drawn(dashboard as DashboardFile, (type) => none[type]);
  expect(page).toContain('<div class="nothing">No data</div>');
  expect(page).toContain('<div class="nothing">–</div>');
});

it('cannot be broken by what is in a title, a label or a message', () => {
  const [first] = dashboards;
  const message = '<script>alert("1")</script>';
  const page = drawn(first as DashboardFile, () => ({ kind: 'error', message }));
  expect(page).not.toContain('<script');
});

it('marks in every chart what happened meanwhile', () => {
  const [dashboard] = dashboards.filter(({ uid }) => uid === 'warren-platform');
  const series = [{ name: 'a', labels: {}, points: [[0, 1] as const, [240, 1] as const] }];
  const page = drawn(dashboard as DashboardFile, (type) =>
    type === 'timeseries' ? { kind: 'timeseries', series } : none[type],
  );
  const charts = (dashboard as DashboardFile).panels.filter(({ type }) => type === 'timeseries');
  expect(page.split('class="happening"').length - 1).toBe(charts.length);
});
