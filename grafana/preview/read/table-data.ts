import type { PanelFile } from './dashboard-file.ts';
import type { Series } from './prometheus.ts';

/** Cells as they are: text of labels, numbers of values. */
export interface TableData {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | undefined)[])[];
}

type Cells = Record<string, string | number>;

/** What Grafana makes of instant answers by `merge` and `organize`: a row for each set of labels, a column for each query. */
export function tableOf(panel: PanelFile, answers: readonly (readonly Series[])[]): TableData {
  const options = panel.transformations?.find(({ id }) => id === 'organize')?.options ?? {};
  const { renameByName = {}, excludeByName = {}, indexByName = {} } = options;
  const merged = mergeRows(panel, answers);
  const labels = [...new Set(merged.flatMap(({ labels }) => Object.keys(labels)))].sort();
  const values = panel.targets.map(({ refId }) => valueName(panel, refId));
  const names = [...labels, ...values].filter((name) => !excludeByName[name]);
  names.sort((a, b) => (indexByName[a] ?? names.length) - (indexByName[b] ?? names.length));
  const rows = merged.map(({ labels: text, values: numbers }): Cells => ({ ...text, ...numbers }));
  const columns = names.map((name) => renameByName[name] ?? name);
  const [sort] = panel.options.sortBy ?? [];
  const sortedBy = names[columns.indexOf(sort?.displayName ?? '')];
  if (sortedBy !== undefined) rows.sort((a, b) => compare(a[sortedBy], b[sortedBy], sort?.desc));
  return { columns, rows: rows.map((row) => names.map((name) => row[name])) };
}

/** Grafana's name for the column of a query. */
const valueName = ({ targets }: PanelFile, refId: string): string =>
  targets.length === 1 ? 'Value' : `Value #${refId}`;

function mergeRows(panel: PanelFile, answers: readonly (readonly Series[])[]) {
  const merged = new Map<string, { labels: Series['labels']; values: Record<string, number> }>();
  for (const [index, many] of answers.entries()) {
    const column = valueName(panel, panel.targets[index]?.refId ?? '');
    for (const { labels, points } of many) {
      const key = JSON.stringify(Object.entries(labels).sort());
      const row = merged.get(key) ?? { labels, values: {} };
      merged.set(key, row);
      row.values[column] = points.at(-1)?.[1] ?? Number.NaN;
    }
  }
  return [...merged.values()];
}

function compare(a: string | number = '', b: string | number = '', isDescending = false): number {
  const order = a < b ? -1 : a > b ? 1 : 0;
  return isDescending ? -order : order;
}
