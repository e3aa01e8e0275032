import type { DeadLetter, LetterView } from '@warren/dead-letter';
import type { Paint } from './paint.ts';
import { timeText } from './time-text.ts';
import { visible, visibleJson } from './visible.ts';

type Shown = Omit<DeadLetter, 'body' | 'contentEncoding' | 'headers'> &
  LetterView & {
    readonly queue: string;
    readonly fingerprint: string;
    readonly payloadBytes: number;
  };

/** All of one dead letter, for a person. Ends with a line feed. */
export function letterPage(letter: Shown, paint: Paint): string {
  const { error, payload, note, payloadBytes } = letter;
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ['id', letter.id ?? '(no id)'],
    ['place', `${letter.position} in ${letter.queue}`],
    ['type', letter.type],
    ['reason', letter.reason],
    ['died', timeText(letter.deadAtMs)],
    ['published', timeText(letter.publishedAtMs)],
    ['attempt', letter.attempt],
    ['generation', letter.generation],
    ['failed in', letter.origin],
    ['correlation', letter.correlationId],
    ['replay of', letter.replayOf],
    ['version', letter.payloadVersion],
    ['fingerprint', letter.fingerprint],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${paint('dim', name.padEnd(12))} ${visible(String(value))}`],
  );
  const indented = (text: string) => text.split('\n').map((line) => `  ${visible(line)}`);
  if (error !== undefined) lines.push(paint('dim', 'error'), ...indented(error));
  lines.push(paint('dim', `payload, ${payloadBytes} bytes`));
  if (payload !== undefined) lines.push(visibleJson(payload, 2));
  if (note !== undefined) lines.push(paint('dim', `(${visible(note)})`));
  return `${lines.join('\n')}\n`;
}
