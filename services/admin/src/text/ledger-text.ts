import type { LetterRunRecord } from '@warren/store';
import type { Paint } from './paint.ts';
import { tableText } from './table.ts';
import { timeText } from './time-text.ts';
import { shortened, visible, visibleJson } from './visible.ts';

const MAX_CHARS = 60;

/** What the ledger has, as a table for a person. Ends with a line feed. */
export function runTable(runs: readonly LetterRunRecord[], paint: Paint): string {
  if (runs.length === 0) return `${paint('dim', 'nothing was replayed or discarded')}\n`;
  const rows = runs.map((run) => [
    run.id,
    run.kind,
    visible(run.queue),
    run.state,
    `${run.done}/${run.chosen}`,
    timeText(run.begunAtMs),
    shortened(visible(run.actor), MAX_CHARS),
    shortened(visible(run.reason ?? ''), MAX_CHARS),
  ]);
  return tableText(['id', 'kind', 'queue', 'state', 'done', 'begun', 'by', 'why'], rows);
}

/** All of one, for a person. Ends with a line feed. */
export function runPage(run: LetterRunRecord, paint: Paint): string {
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ['id', run.id],
    ['kind', run.kind],
    ['queue', run.queue],
    ['state', run.state],
    ['by', run.actor],
    ['why', run.reason],
    ['chosen', run.isFixed ? run.chosen : undefined],
    ['done', run.done],
    ['starts', run.starts],
    ['begun', timeText(run.begunAtMs)],
    ['heard of', timeText(run.aliveAtMs)],
    ['ended', run.endedAtMs === undefined ? undefined : timeText(run.endedAtMs)],
    ['problem', run.problem],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${paint('dim', name.padEnd(10))} ${visible(String(value))}`],
  );
  for (const name of ['selection', 'settings', 'report'] as const) {
    const value = run[name];
    if (value !== undefined && value !== null) {
      lines.push(paint('dim', name), visibleJson(value, 2));
    }
  }
  if (run.state === 'interrupted' || run.state === 'stopped') {
    lines.push(`Go on with: warren dead ${run.kind} --resume ${run.id}`);
  }
  return `${lines.join('\n')}\n`;
}
