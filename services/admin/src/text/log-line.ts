import type { LogRecord } from '@warren/store';
import type { Paint } from './paint.ts';
import { timeText } from './time-text.ts';
import { visible, visibleJson } from './visible.ts';

/** One line of a job's log, for a person. */
export function logLine({ atMs, level, message, fields }: LogRecord, paint: Paint): string {
  const isBad = level === 'error' || level === 'fatal';
  return [
    paint('dim', timeText(atMs)),
    paint(isBad ? 'red' : 'dim', level.padEnd(5)),
    visible(message),
    ...(fields === undefined ? [] : [paint('dim', visibleJson(fields))]),
  ].join(' ');
}
