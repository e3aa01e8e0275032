import type { ReceivedMessage } from '@warren/broker';
import { newJobId } from '@warren/contracts';
import { createLogger, createMetrics } from '@warren/telemetry';
import { type AdmissionFacts, admit } from './admit.ts';
import type { EndedRun } from './ended-run.ts';
import type { Identified } from './identified.ts';
import { JobHistory } from './job-history.ts';
import { QueueMetrics } from './queue-metrics.ts';
import { RunContext } from './run-context.ts';
import { RunningHandler, RunningHandlers } from './running.ts';

const nowMs = 1_800_000_000_000;
const message = {
  id: newJobId(),
  type: 'bench.job',
  attempt: 1,
  generation: 0,
  snoozes: 0,
  returns: 0,
  publishedAtMs: nowMs - 20,
} as unknown as Identified & ReceivedMessage;
const facts: AdmissionFacts = {
  nowMs,
  maxAgeMs: 86_400_000,
  isSuspectQueue: false,
  pardonedReturns: 0,
  overdueReturns: 0,
};
const ended: EndedRun = {
  run: newJobId(),
  durationMs: 20,
  redact: undefined,
  outcome: { kind: 'succeeded', result: undefined },
};
const job = {
  id: message.id,
  type: 'bench.job',
  payload: {},
  attempt: 1,
  generation: 0,
  queue: 'bench.job',
  publishedAtMs: nowMs,
  correlationId: undefined,
  headers: {},
};
const logger = createLogger({
  service: 'bench',
  level: 'info',
  destination: { write: () => {} },
});
const metrics = new QueueMetrics(createMetrics({ service: 'bench', version: '0' }), {
  queue: 'bench.job',
  jobType: 'bench.job',
  startWithinMs: 60_000,
});
const nothing = () => undefined;
const history = new JobHistory({
  worker: 'bench-1',
  queue: 'bench.job',
  typeOf: () => 'bench.job',
  sink: { record: nothing, recordFinal: nothing },
});
const running = new RunningHandlers();

/** One operation each; run by `npm run bench:micro`. */
export const micro: Readonly<Record<string, () => unknown>> = {
  'admit a delivery': () => admit(message, facts),
  'begin and end a run': beginAndEnd,
  'count a run': count,
  'tell the history of a run': tell,
};

function beginAndEnd(): unknown {
  const context = new RunContext(job, logger);
  const handler = new RunningHandler(context, '', nowMs);
  running.add(handler);
  running.delete(handler);
  return context;
}

function count(): unknown {
  metrics.started(message, nowMs);
  metrics.ran(ended.outcome, ended.durationMs);
  metrics.ended('succeeded', message, nowMs);
  return metrics;
}

function tell(): unknown {
  history.started(message, ended.run, nowMs);
  return history.succeeded(message, ended);
}
