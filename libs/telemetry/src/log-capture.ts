import { AsyncLocalStorage } from 'node:async_hooks';
import { redactTexts } from '@warren/contracts';
import type { Logger } from 'pino';
import { LOG_LEVELS, type LogLevel } from './log-levels.ts';

/** Takes lines as they are written: JSON text with its newline, secrets hidden. It must not log by itself. */
export interface LogSink {
  take(line: string): void;
  /** What is written in its place; still JSON text with its newline. Absent: the line itself. */
  show?(line: string): string;
  /** Lines of this level and above are for it, also where the logger that is tied to it writes only those above. */
  readonly level?: LogLevel | undefined;
  /** What the lines are about; told by each, unless its logger or the line itself says otherwise. */
  readonly job?: JobFields;
}

/** The fields by which a line names its job. */
export interface JobFields {
  readonly job_id: string;
  readonly job_type: string;
  readonly attempt: number;
  readonly queue: string;
}

/** A line, taken apart. */
export interface LogLine {
  readonly level: Exclude<LogLevel, 'silent'>;
  readonly message: string;
  /** What the line says besides; without what every line of a job carries. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const SINK = Symbol('takes the lines of this logger');
const WRITTEN_FROM = Symbol(
  'the level from which on its lines are written, where others are for its sink alone',
);
const OF_EVERY_LINE = [
  'level',
  'time',
  'service',
  'msg',
  'job_id',
  'job_type',
  'attempt',
  'queue',
  'trace_id',
  'span_id',
];

const sinks = new AsyncLocalStorage<LogSink>();
/** Of the call that is writing its line; lines are written before the call returns. */
let writing: LogSink | undefined;
/** Whether that line is for the sink alone. */
let isUnwritten = false;

/** Runs `work`; every line that it has a logger write meanwhile, and all that it starts, goes to `sink` as well. */
export function captureLogs<Result>(sink: LogSink, work: () => Result): Result {
  return sinks.run(sink, work);
}

/** Has a logger, and its children, tell `sink` also where the calls come from elsewhere. Returns the same logger. */
export function tieLogger(logger: Logger, sink: LogSink): Logger {
  const writtenFrom = logger.levelVal;
  if (sink.level !== undefined && !logger.isLevelEnabled(sink.level)) {
    logger.level = sink.level;
    Object.assign(logger, { [WRITTEN_FROM]: writtenFrom });
  }
  return Object.assign(logger, { [SINK]: sink });
}

/** Writes a line of `logger`, so that `passOn` knows whose it is. `level` in pino's numbers. */
export function writeFor(logger: object, level: number, write: () => void): void {
  const { [SINK]: own, [WRITTEN_FROM]: writtenFrom = 0 } = logger as TiedLogger;
  const sink = own ?? sinks.getStore();
  if (!sink) {
    write();
    return;
  }
  const outer = [writing, isUnwritten] as const;
  writing = sink;
  isUnwritten = level < writtenFrom;
  try {
    write();
  } finally {
    [writing, isUnwritten] = outer;
  }
}

interface TiedLogger {
  readonly [SINK]?: LogSink;
  readonly [WRITTEN_FROM]?: number;
}

/** The job that the line which is being written belongs to, where its sink knows. */
export const jobOfLine = (): JobFields | undefined => writing?.job;

/** A hook of pino's: sees each line on its way out. Empty: it is not to be written. */
export function passOn(line: string): string {
  if (!writing) return line;
  writing.take(line);
  if (isUnwritten) return '';
  return writing.show?.(line) ?? line;
}

/** Takes a line apart. Never throws: what is no line of a logger becomes its own message. */
export function parseLogLine(line: string): LogLine {
  const fields = parse(line);
  const { level, msg } = fields;
  const message = typeof msg === 'string' ? msg : '';
  for (const name of OF_EVERY_LINE) delete fields[name];
  return { level: isLevel(level) ? level : 'info', message, fields };
}

/** A line with all texts, but those that every line has, passed through `redact`. Never throws. */
export function redactLogLine(line: string, redact: (text: string) => string): string {
  const fields = Object.entries(parse(line)).map(([name, value]) =>
    name !== 'msg' && OF_EVERY_LINE.includes(name)
      ? [name, value]
      : [redact(name), redactTexts(value, redact)],
  );
  return `${JSON.stringify(Object.fromEntries(fields))}\n`;
}

function parse(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { msg: line };
  }
}

function isLevel(value: unknown): value is LogLine['level'] {
  return value !== 'silent' && (LOG_LEVELS as readonly unknown[]).includes(value);
}
