import type { DashboardLinkJson, VariableJson } from './grafana-model.ts';

/** What is looked for in the logs and the traces; `${queue}` is a variable of the dashboard. */
export interface Search {
  /** LogQL, for Loki. */
  readonly logs: string;
  /** TraceQL, for Tempo. */
  readonly traces: string;
}

/** All lines of Warren's services, as Loki has them, taken apart. */
export const LOG_LINES = '{service_name=~".+"} | json';

/** Where logs and traces are found: these uids, if there are such data sources, else the first of the kind. */
export const LOGS = { name: 'logs', label: 'Logs', type: 'loki' } as const;
export const TRACES = { name: 'traces', label: 'Traces', type: 'tempo' } as const;

/**
 * A variable that nobody sees. Without a data source of the kind it has no value, and the link leads to a search in the
 * default one, which finds nothing.
 */
export const searchVariable = ({
  name,
  label,
  type,
}: typeof LOGS | typeof TRACES): VariableJson => ({
  name,
  label,
  type: 'datasource',
  query: type,
  current: { selected: false, text: label, value: name },
  refresh: 1,
  hide: 2,
});

/** At the top of the dashboard, for what is chosen there and at the time that it shows. */
export const searchLinks = ({ logs, traces }: Search): DashboardLinkJson[] => [
  link(LOGS.label, 'What was logged under handlers', LOGS.name, { refId: 'A', expr: logs }),
  link(TRACES.label, 'Traces of runs', TRACES.name, {
    refId: 'A',
    queryType: 'traceql',
    query: traces,
  }),
];

function link(title: string, tooltip: string, source: string, query: object): DashboardLinkJson {
  const datasource = `\${${source}}`;
  const pane = {
    datasource,
    queries: [{ ...query, datasource: { uid: datasource } }],
    range: { from: `\${__from}`, to: `\${__to}` },
  };
  return {
    type: 'link',
    title,
    tooltip,
    icon: 'external link',
    url: `/explore?schemaVersion=1&panes=${encoded({ a: pane })}`,
    targetBlank: true,
    keepTime: false,
    includeVars: false,
    asDropdown: false,
    tags: [],
  };
}

/** Variables are filled in by Grafana, which knows them only as they are written. */
const encoded = (panes: object): string =>
  encodeURIComponent(JSON.stringify(panes)).replaceAll(/%24%7B(\w+(?:%3A\w+)?)%7D/g, (_, name) => {
    return `\${${decodeURIComponent(String(name))}}`;
  });
