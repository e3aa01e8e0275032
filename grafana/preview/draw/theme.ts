import type { FieldDefaults, Override } from '../read/dashboard-file.ts';

/** Colours that dashboards name, near those of Grafana's dark theme. */
const NAMED: Readonly<Record<string, string>> = {
  green: '#73bf69',
  'dark-green': '#37872d',
  yellow: '#fade2a',
  orange: '#ff9830',
  red: '#f2495c',
  'dark-red': '#c4162a',
  blue: '#5794f2',
  'light-blue': '#8ab8ff',
  purple: '#b877d9',
  text: '#ccccdc',
};

/** What series get that have no colour of their own, in their order: Grafana's `palette-classic`. */
const PALETTE = [
  '#73bf69',
  '#f2cc0c',
  '#8ab8ff',
  '#ff780a',
  '#f2495c',
  '#5794f2',
  '#b877d9',
  '#705da0',
  '#37872d',
  '#fade2a',
  '#447ebc',
  '#c15c17',
  '#890f02',
  '#0a437c',
  '#6d1f62',
  '#584477',
  '#b7dbab',
  '#f4d598',
  '#70dbed',
  '#f9ba8f',
];

/** A colour by Grafana's name; one that is none yet is CSS. */
export const colorNamed = (name: string): string => NAMED[name] ?? name;

/** The colour of the last threshold that the value has reached. */
export function colorOfValue(value: number, { thresholds }: FieldDefaults): string {
  const reached = thresholds.steps.filter((step) => step.value === null || value >= step.value);
  return colorNamed(reached.at(-1)?.color ?? 'text');
}

/** The colour of a series, from overrides by name or from its place. */
export function colorOfSeries(name: string, index: number, overrides: readonly Override[]): string {
  const values = overrides
    .filter(({ matcher }) => matcher.id === 'byName' && matcher.options === name)
    .flatMap(({ properties }) => properties.filter(({ id }) => id === 'color'));
  const fixed = values.map(({ value }) =>
    'fixedColor' in value ? value.fixedColor : undefined,
  )[0];
  return fixed === undefined ? (PALETTE[index % PALETTE.length] ?? '') : colorNamed(fixed);
}
