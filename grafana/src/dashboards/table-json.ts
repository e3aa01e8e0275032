import type { PanelJson, TableOptionsJson } from './grafana-model.ts';
import { LABEL_NAMES } from './looks.ts';
import type { Panel } from './panel.ts';

/** By the first query's value, the largest first, or as the panel says. */
export const tableOptions = ({ queries, sortedBy }: Panel): TableOptionsJson => ({
  showHeader: true,
  cellHeight: 'sm',
  sortBy: [
    sortedBy === undefined
      ? { displayName: queries[0]?.legend, desc: true }
      : { displayName: LABEL_NAMES[sortedBy], desc: false },
  ],
});

/** One row per series: the labels in their order, then one column per query, named by its legend. */
export function tableTransformations({
  queries,
  columns = [],
}: Panel): NonNullable<PanelJson['transformations']> {
  const values = queries.map((_, index) => valueName(index, queries.length));
  const names = Object.fromEntries([
    ...columns.map((label) => [label, LABEL_NAMES[label]]),
    ...values.map((value, index) => [value, queries[index]?.legend]),
  ]);
  const places = [...columns, ...values].map((name, index) => [name, index]);
  return [
    { id: 'merge', options: {} },
    {
      id: 'organize',
      options: {
        excludeByName: { Time: true },
        renameByName: names,
        indexByName: Object.fromEntries(places),
      },
    },
  ];
}

/** Grafana's name for the column of a query's values. */
const valueName = (index: number, queries: number): string =>
  queries === 1 ? 'Value' : `Value #${String.fromCharCode(65 + index)}`;
