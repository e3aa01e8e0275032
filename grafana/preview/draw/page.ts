import type { DashboardFile } from '../read/dashboard-file.ts';
import type { PanelData } from '../read/panel-data.ts';
import type { Choices } from '../read/variables.ts';
import type { Shown } from './frame.ts';
import { boxOf, gridHeight } from './layout.ts';
import { escaped, px } from './markup.ts';
import { drawPanel, drawRow } from './panel.ts';
import { STYLE } from './style.ts';

export const PAGE_WIDTH = 1_600;

/** What a dashboard shows at one time. */
export interface PageContent {
  readonly dashboard: DashboardFile;
  readonly choices: Choices;
  /** In the order of the dashboard's panels; `undefined` for headings. */
  readonly data: readonly (PanelData | undefined)[];
  readonly window: Shown;
}

/** One page for a dashboard, with everything in it. */
export function pageOf({ dashboard, choices, data, window }: PageContent): string {
  const { title, description, panels, links } = dashboard;
  const drawn = panels.map((panel, index) => {
    const box = boxOf(panel.gridPos, PAGE_WIDTH);
    const found = data[index];
    if (panel.type === 'row' || found === undefined) return drawRow({ ...panel, type: 'row' }, box);
    return drawPanel(panel, found, box, window);
  });
  const height = gridHeight(panels.map(({ gridPos }) => gridPos));
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style>
<body style="width:${PAGE_WIDTH}px">
<header><h1>${escaped(title)}</h1><span>${escaped(description)}</span>
<nav>${choicesOf(choices)}${links.map(linkOf).join('')}<b>${timeOf(window)}</b></nav>
<small>Drawn by npm run grafana:preview; this is not Grafana.</small></header>
<main style="height:${px(height)}px">
${drawn.join('\n')}
</main></body></html>
`;
}

const linkOf = ({ title, asDropdown }: PageContent['dashboard']['links'][number]): string =>
  `<b>${escaped(title)} ${asDropdown ? '▾' : '↗'}</b>`;

const choicesOf = (choices: Choices): string =>
  Object.values(choices)
    .map(({ label, text }) => `<b><i>${escaped(label)}</i>${escaped(text)}</b>`)
    .join('');

const timeOf = ({ fromSeconds, untilSeconds }: Shown): string =>
  [fromSeconds, untilSeconds]
    .map((at) => new Date(at * 1_000).toISOString().slice(0, 19).replace('T', ' '))
    .join(' to ');
