import { ANNOTATIONS, annotationJson } from './annotations.ts';
import type { DashboardJson, DashboardLinkJson, GridPosition, RowJson } from './grafana-model.ts';
import type { Panel } from './panel.ts';
import { panelJson } from './panel-json.ts';
import { LOGS, type Search, searchLinks, searchVariable, TRACES } from './search-links.ts';
import {
  type Choice,
  choiceJson,
  DATASOURCE_VARIABLE,
  type Variable,
  variableJson,
} from './variables.ts';

/** Panels under a heading. */
export interface Section {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Dashboard {
  /** Stable: links and bookmarks use it. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly variables: readonly Variable[];
  readonly choices?: readonly Choice[];
  readonly sections: readonly Section[];
  /** Where its links to logs and traces lead; absent: it has none. */
  readonly search?: Search;
}

const COLUMNS = 24;
const TAG = 'warren';

/** The dashboard as a file for Grafana's provisioning: the classic model, which Grafana 10 to 13 load. */
export const dashboardJson = (dashboard: Dashboard): DashboardJson => ({
  uid: dashboard.uid,
  title: dashboard.title,
  description: dashboard.description,
  tags: [TAG],
  schemaVersion: 42,
  version: 1,
  editable: false,
  graphTooltip: 1,
  time: { from: 'now-3h', to: 'now' },
  refresh: '30s',
  timezone: 'browser',
  templating: {
    list: [
      DATASOURCE_VARIABLE,
      ...dashboard.variables.map(variableJson),
      ...(dashboard.choices ?? []).map(choiceJson),
      ...(dashboard.search ? [LOGS, TRACES].map(searchVariable) : []),
    ],
  },
  annotations: { list: ANNOTATIONS.map(annotationJson) },
  links: [...(dashboard.search ? searchLinks(dashboard.search) : []), LINKS],
  panels: placed(dashboard.sections),
});

/** A menu of the other dashboards. */
const LINKS: DashboardLinkJson = {
  type: 'dashboards',
  title: 'Warren',
  tags: [TAG],
  asDropdown: true,
  keepTime: true,
  includeVars: true,
};

/** Gives each heading and panel its id and place, from left to right and from top to bottom. */
function placed(sections: readonly Section[]): DashboardJson['panels'] {
  const grid = new Grid();
  let id = 0;
  return sections.flatMap(({ title, panels }) => {
    id += 1;
    const row: RowJson = {
      id,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: grid.heading(),
    };
    const below = panels.map((panel, index) => {
      id += 1;
      return panelJson(panel, id, grid.place(panel, index === panels.length - 1));
    });
    return [row, ...below];
  });
}

class Grid {
  #x = 0;
  #y = 0;
  #lineHeight = 0;

  heading(): GridPosition {
    this.#breakLine();
    const position = { x: 0, y: this.#y, w: COLUMNS, h: 1 };
    this.#y += 1;
    return position;
  }

  /** @param isLast of its section: a chart that would stand there alone has the whole line */
  place({ kind, width, height }: Panel, isLast: boolean): GridPosition {
    if (this.#x + width > COLUMNS) this.#breakLine();
    const isAlone = isLast && this.#x === 0 && kind !== 'stat';
    const position = { x: this.#x, y: this.#y, w: isAlone ? COLUMNS : width, h: height };
    this.#x += width;
    this.#lineHeight = Math.max(this.#lineHeight, height);
    return position;
  }

  #breakLine(): void {
    this.#y += this.#lineHeight;
    this.#x = 0;
    this.#lineHeight = 0;
  }
}
