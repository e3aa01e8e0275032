import { inspect } from 'node:util';
import { readProperty, readText } from './read-property.ts';

const MAX_HEADLINE_CHARS = 1_024;
const MAX_CAUSES = 3;
const MAX_FRAMES = 12;
const MAX_STACK_CHARS = 8_192;

/** Class and message of anything that was thrown; never throws itself. */
export function headlineOf(error: unknown): string {
  const message = readText(error, 'message');
  if (message === undefined) return `thrown value ${show(error)}`;
  const name = readText(error, 'name') || 'Error';
  const code = readText(error, 'code');
  const title =
    code === undefined ? name.slice(0, 100) : `${name.slice(0, 100)} [${code.slice(0, 60)}]`;
  return `${title}: ${message.slice(0, MAX_HEADLINE_CHARS)}`;
}

/** Headlines of an error's causes and, of an AggregateError, its parts: a few, since they may form a cycle. */
export function causesOf(error: unknown): string[] {
  const seen = new Set<unknown>([error]);
  const causes: string[] = [];
  const open = directCausesOf(error);
  for (let cause = open.shift(); cause !== undefined; cause = open.shift()) {
    if (seen.has(cause)) continue;
    seen.add(cause);
    causes.push(headlineOf(cause));
    if (causes.length === MAX_CAUSES) break;
    open.push(...directCausesOf(cause));
  }
  return causes;
}

function directCausesOf(error: unknown): unknown[] {
  const cause = readProperty(error, 'cause');
  const errors = readProperty(error, 'errors');
  return [cause, ...firstOf(errors)].filter((found) => found !== undefined && found !== null);
}

function firstOf(list: unknown): unknown[] {
  try {
    return Array.isArray(list) ? list.slice(0, MAX_CAUSES) : [];
  } catch {
    return [];
  }
}

/** The frames of an error's stack, without the message that V8 puts before them. */
export function stackFramesOf(error: unknown): string[] {
  const stack = readText(error, 'stack') ?? '';
  const message = `${readText(error, 'message') ?? ''}\n`;
  const at = stack.indexOf(message);
  return stack
    .slice(at < 0 ? 0 : at + message.length)
    .slice(0, MAX_STACK_CHARS)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, MAX_FRAMES);
}

function show(value: unknown): string {
  try {
    const text = inspect(value, {
      depth: 1,
      maxArrayLength: 10,
      maxStringLength: 500,
      breakLength: Infinity,
    });
    return text.slice(0, MAX_HEADLINE_CHARS);
  } catch {
    return 'that cannot be shown';
  }
}
