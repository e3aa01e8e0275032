import type { DeadLetter, LetterView } from '@warren/dead-letter';
import type { Paint } from './paint.ts';
import { timeText } from './time-text.ts';
import { shortened, visible, visibleJson } from './visible.ts';

const MAX_CHARS = 400;

/** One dead letter in a few lines for a person. */
export function letterText(letter: DeadLetter, view: LetterView, paint: Paint): string {
  const { position, id, reason, attempt, generation, origin, publishedAtMs } = letter;
  const head = [
    `${position}. ${paint('bold', visible(id ?? '(no id)'))}`,
    paint('red', visible(reason ?? 'no reason given')),
    `attempt ${attempt}`,
    ...(generation > 0 ? [`generation ${generation}`] : []),
  ];
  const from = [
    ...(publishedAtMs === undefined ? [] : [`published ${timeText(publishedAtMs)}`]),
    ...(origin === undefined ? [] : [`failed in ${visible(origin)}`]),
  ];
  return [
    head.join('  '),
    ...(from.length > 0 ? [`   ${paint('dim', from.join(', '))}`] : []),
    ...(view.error === undefined ? [] : [`   ${line(firstLine(view.error))}`]),
    ...(view.payload === undefined
      ? []
      : [`   ${shortened(visibleJson(view.payload), MAX_CHARS)}`]),
    ...(view.note === undefined ? [] : [`   ${paint('dim', `(${line(view.note)})`)}`]),
  ].join('\n');
}

function line(text: string): string {
  return shortened(visible(text), MAX_CHARS);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
