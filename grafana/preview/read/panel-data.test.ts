import { expect, it } from 'vitest';
import type { PanelFile } from './dashboard-file.ts';
import { askForPanel } from './panel-data.ts';

const window = { fromSeconds: 0, untilSeconds: 60, stepSeconds: 5 };
const panel = (type: PanelFile['type'], instant: boolean): PanelFile => ({
  type,
  title: '',
  description: '',
  gridPos: { x: 0, y: 0, w: 12, h: 8 },
  fieldConfig: { defaults: { unit: 'short', thresholds: { steps: [] } }, overrides: [] },
  targets: [{ refId: 'A', expr: 'up{service="$service"}', legendFormat: '{{instance}}', instant }],
  options: {},
});

/** Answers with one series, and keeps what it was asked. */
function answering() {
  const asked: unknown[] = [];
  const answer = async (...question: unknown[]) => {
    asked.push(question);
    return [{ labels: { instance: 'a:1' }, points: [[60, 7] as const] }];
  };
  return { asked, at: answer, over: answer };
}

it('asks for a figure at the end of the window', async () => {
  const prometheus = answering();
  const data = await askForPanel(panel('stat', true), prometheus, window, { service: 'email' });
  expect(data).toEqual({ kind: 'stat', value: 7 });
  expect(prometheus.asked).toEqual([['up{service="email"}', 60]]);
});

it('asks for lines over the window, and names them by their legend', async () => {
  const prometheus = answering();
  const data = await askForPanel(panel('timeseries', false), prometheus, window, { service: '.*' });
  expect(data).toMatchObject({ kind: 'timeseries', series: [{ name: 'a:1', points: [[60, 7]] }] });
  expect(prometheus.asked).toEqual([['up{service=".*"}', window]]);
});

it('shows what Prometheus says about a wrong query in the place of the panel', async () => {
  const refuse = () => Promise.reject(new Error('parse error'));
  const data = await askForPanel(panel('stat', true), { at: refuse, over: refuse }, window, {
    service: 'a',
  });
  expect(data).toEqual({ kind: 'error', message: 'parse error' });
});
