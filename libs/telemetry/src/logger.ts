import pino, { type DestinationStream, type Logger as PinoLogger } from 'pino';
import { type JobFields, jobOfLine, passOn, writeFor } from './log-capture.ts';
import type { LogLevel } from './log-levels.ts';
import { sanitise } from './sanitise.ts';
import { activeSpanIds } from './tracing/span-context.ts';

/** pino's logger. Every call is safe with any value: it never throws, and never shows secrets or payloads. */
export type Logger = PinoLogger;

export interface LoggerOptions {
  readonly service: string;
  readonly level: LogLevel;
  /** Takes each line with its newline. Default: stdout, written before the call returns. */
  readonly destination?: DestinationStream;
}

/**
 * A logger of JSON lines: `level` as a word, `time` in ISO 8601, `service`.
 * The default destination is synchronous: a transport in a worker thread loses the lines just before exit.
 */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const logger = pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Errors arrive here as sanitised copies; pino's own serialiser would follow their fields again.
      serializers: { err: (err: unknown) => err },
      hooks: { logMethod: logSafely, streamWrite: passOn },
    },
    withoutEmpty(destination ?? pino.destination({ dest: 1, sync: true })),
  );
  return sanitiseBindings(logger);
}

/** Lines that are for a job's log alone come as empty ones. */
function withoutEmpty(destination: DestinationStream): DestinationStream {
  return { write: (line) => void (line && destination.write(line)) };
}

/** What a log line says about the job that it belongs to. */
export interface JobLogContext {
  readonly jobId: string;
  readonly jobType: string;
  readonly attempt: number;
  readonly queue: string;
  /** The span of its run, where spans are collected. */
  readonly span?: { readonly traceId: string; readonly spanId: string } | undefined;
}

/** As log lines have it. */
export const jobFields = ({ jobId, jobType, attempt, queue }: JobLogContext): JobFields => ({
  job_id: jobId,
  job_type: jobType,
  attempt,
  queue,
});

/** A child whose lines carry `job_id`, `job_type`, `attempt` and `queue`; and `trace_id` and `span_id`, where spans are collected. */
export function jobLogger(logger: Logger, context: JobLogContext): Logger {
  const { span } = context;
  const child = logger.child({
    ...jobFields(context),
    ...(span && { trace_id: span.traceId, span_id: span.spanId }),
  });
  return Object.assign(child, { [HAS_JOB]: true, ...(span && { [HAS_SPAN]: true }) });
}

const HAS_JOB = Symbol('its lines name their job');
const HAS_SPAN = Symbol('its lines name their span');

type LogMethod = (this: Logger, ...args: unknown[]) => void;

function logSafely(this: Logger, args: unknown[], method: unknown, level: number): void {
  const log = method as LogMethod;
  writeFor(this, level, () => {
    try {
      log.apply(this, withContext(this, safeArguments(args)));
    } catch (error) {
      log.call(this, { err: sanitise(error) }, 'a log line could not be written');
    }
  });
}

/** Copies the arguments; an error as first argument becomes the field `err`, as pino has it. */
function safeArguments([first, ...rest]: unknown[]): unknown[] {
  const others = rest.map(sanitise);
  if (!(first instanceof Error)) return [sanitise(first), ...others];
  const err = sanitise(first) as Record<string, unknown>;
  return [{ err }, ...(others.length > 0 ? others : [err['message']])];
}

/** Whoever logs under a handler or within a span need not know of it. */
function withContext(logger: Logger, args: unknown[]): unknown[] {
  const job = HAS_JOB in logger ? undefined : jobOfLine();
  const span = HAS_SPAN in logger ? undefined : activeSpanIds();
  if (!job && !span) return args;
  const fields = { ...(job && unbound(logger, job)), ...span };
  const [first, ...rest] = args;
  const isFields = typeof first === 'object' && first !== null;
  return isFields ? [{ ...fields, ...first }, ...rest] : [fields, ...args];
}

/** Without what a child says in each of its lines already: no name stands twice in a line. */
function unbound(logger: Logger, fields: JobFields): Partial<JobFields> {
  const bound = Reflect.get(logger, pino.symbols.chindingsSym) as string;
  const names = Object.keys(fields).filter((name) => bound.includes(`"${name}":`));
  if (names.length === 0) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Children's bindings pass no hook of pino's. Children inherit this `child` through their prototype. */
function sanitiseBindings(logger: Logger): Logger {
  const { child, setBindings } = logger;
  return Object.assign(logger, {
    child(this: Logger, bindings: object, options?: object) {
      return child.call(this, sanitise(bindings) as object, options);
    },
    setBindings(this: Logger, bindings: object) {
      setBindings.call(this, sanitise(bindings) as object);
    },
  });
}
