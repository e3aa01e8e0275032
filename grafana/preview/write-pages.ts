import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE_WIDTH, pageOf } from './draw/page.ts';
import type { DashboardFile, PanelFile, RowFile } from './read/dashboard-file.ts';
import { happeningsOf } from './read/happenings.ts';
import { askForPanel, type PanelData } from './read/panel-data.ts';
import type { Prometheus, Window } from './read/prometheus.ts';
import { chooseVariables, rateIntervalSeconds } from './read/variables.ts';
import type { Shot } from './screenshots.ts';

/** From where the figures come, and where pages go. */
export interface PageSource {
  readonly prometheus: Prometheus;
  readonly scrapeSeconds: number;
  readonly window: Window;
  /** Values of variables, by name, where they are not to be chosen as Grafana does. */
  readonly wished: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** A page on disk, and what it had nothing to show for. */
export interface WrittenPage extends Shot {
  /** Titles of panels, with Prometheus' message where a query was wrong. */
  readonly empty: readonly string[];
}

/** Asks for everything that a dashboard shows, and writes it as one page. */
export async function writePage(
  dashboard: DashboardFile,
  { prometheus, scrapeSeconds, window, wished, folder }: PageSource,
): Promise<WrittenPage> {
  const choices = await chooseVariables(dashboard.templating.list, wished, (selector, label) =>
    prometheus.labelValues(selector, label, window),
  );
  const values = {
    ...Object.fromEntries(Object.entries(choices).map(([name, { value }]) => [name, value])),
    __rate_interval: `${rateIntervalSeconds(scrapeSeconds, window.stepSeconds)}s`,
  };
  const data: (PanelData | undefined)[] = [];
  for (const panel of dashboard.panels) {
    const isRow = panel.type === 'row';
    data.push(isRow ? undefined : await askForPanel(panel, prometheus, window, values));
  }
  const happenings = await happeningsOf(dashboard.annotations.list, prometheus, window, values);
  mkdirSync(folder, { recursive: true });
  const page = join(folder, `${dashboard.uid}.html`);
  writeFileSync(page, pageOf({ dashboard, choices, data, window: { ...window, happenings } }));
  return {
    page,
    picture: page.replace(/html$/, 'png'),
    width: PAGE_WIDTH,
    empty: dashboard.panels.flatMap((panel, index) => emptyIn(panel, data[index])),
  };
}

function emptyIn({ title }: PanelFile | RowFile, data: PanelData | undefined): string[] {
  switch (data?.kind) {
    case undefined:
      return [];
    case 'error':
      return [`${title} (${data.message})`];
    case 'stat':
      return data.value === undefined ? [title] : [];
    case 'table':
      return data.table.rows.length === 0 ? [title] : [];
    case 'timeseries':
    case 'heatmap':
      return data.series.length === 0 ? [title] : [];
  }
}
