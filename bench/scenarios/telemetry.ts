import { endToEndApart } from '../apart/end-to-end-apart.ts';
import type { Contestant, Figures, Scenario } from '../compare.ts';
import { startSink } from '../measure/telemetry-sink.ts';
import type { Workload } from '../measure/workload.ts';
import { payload } from '../payload.ts';
import { warren } from '../systems/own-systems.ts';
import type { TelemetrySpec } from '../systems/telemetry.ts';
import { ratioAtLeast, ratioAtMost } from '../target.ts';

const NAMESPACE = 'benchtelemetry';
const LOAD = { count: 30_000, concurrency: 10, payload };
/** Jobs that do a little: what traces may cost beside them is promised in docs/decisions/0020-what-traces-may-cost.md. */
const WORKING_LOAD = { count: 10_000, concurrency: 10, payload, handlerMs: 1 };
const MICROSECONDS_OF_10_000 = 100;

/** The part of all traces that is kept, as a busy installation would have it. */
const KEPT = 0.1;

/** Where all are too many: at a thousand jobs a second ten are still told. */
const FEW_KEPT = 0.01;

/** A side of the comparison: what it tells, and the paths that something has to come to. */
interface Side {
  readonly name: string;
  readonly tells: Omit<TelemetrySpec, 'collector'>;
  readonly sends: readonly string[];
}

const SILENT: Side = { name: 'neither', tells: { metrics: false }, sends: [] };
const AS_SHIPPED: Side = { name: 'traces off', tells: { metrics: true }, sends: [] };
const METRICS_SENT: Side = {
  name: 'metrics sent',
  tells: { metrics: true },
  sends: ['/v1/metrics'],
};
const ALL_SENT: Side = {
  name: 'metrics and traces sent',
  tells: { metrics: true, traces: KEPT },
  sends: ['/v1/metrics', '/v1/traces'],
};

const FEW_TRACES: Side = {
  name: 'traces, 1 % kept',
  tells: { metrics: true, traces: FEW_KEPT, onlyTraces: true },
  sends: ['/v1/traces'],
};
const ALL_TRACES: Side = {
  name: 'traces, all kept',
  tells: { metrics: true, traces: 1, onlyTraces: true },
  sends: ['/v1/traces'],
};
const FIGURES = { rate: { unit: 'jobs/s' }, cpu: { unit: 'µs', label: 'CPU of both for a job' } };

/**
 * What it costs to know how it goes: publisher and worker in a process each, the history on, with OpenTelemetry's metrics and a
 * tenth of all traces sent to a collector on this machine; without those, as it is shipped; and with no metrics at all. The rate
 * says what is left for jobs, the processor time what they took; on a machine with other work only the latter tells.
 */
export function telemetry(url: string): Scenario[] {
  const sides = [SILENT, AS_SHIPPED, METRICS_SENT, ALL_SENT];
  return [
    {
      name: 'telemetry',
      figures: FIGURES,
      contestants: sides.map((side) => contestantOf(url, side)),
      pairs: [
        {
          subject: AS_SHIPPED.name,
          against: SILENT.name,
          targets: { rate: ratioAtLeast(0.99), cpu: ratioAtMost(1.01) },
        },
        { subject: METRICS_SENT.name, against: AS_SHIPPED.name },
        {
          subject: ALL_SENT.name,
          against: AS_SHIPPED.name,
          targets: { rate: ratioAtLeast(0.97), cpu: ratioAtMost(1.03) },
        },
      ],
    },
    {
      name: 'traces',
      figures: FIGURES,
      contestants: [AS_SHIPPED, FEW_TRACES, ALL_TRACES].map((side) => contestantOf(url, side)),
      pairs: [
        {
          subject: FEW_TRACES.name,
          against: AS_SHIPPED.name,
          targets: { rate: ratioAtLeast(0.97), cpu: ratioAtMost(1.03) },
        },
        { subject: ALL_TRACES.name, against: AS_SHIPPED.name },
      ],
    },
    {
      name: 'traces, jobs of 1 ms',
      figures: FIGURES,
      contestants: [AS_SHIPPED, FEW_TRACES].map((side) => contestantOf(url, side, WORKING_LOAD)),
      pairs: [
        {
          subject: FEW_TRACES.name,
          against: AS_SHIPPED.name,
          targets: { rate: ratioAtLeast(0.97), cpu: ratioAtMost(1.03) },
        },
      ],
    },
  ];
}

function contestantOf(url: string, side: Side, load: Workload = LOAD): Contestant {
  return { name: side.name, run: () => measure(url, side, load) };
}

async function measure(
  url: string,
  { name, tells, sends }: Side,
  load: Workload,
): Promise<Figures> {
  const sink = await startSink();
  try {
    const collector = sends.length > 0 && { collector: sink.url };
    const system = warren(url, NAMESPACE, { history: true, telemetry: { ...tells, ...collector } });
    const { rate = 0, cpu = 0 } = await endToEndApart(system, load);
    const missing = sends.filter((path) => !sink.bytes.has(path));
    if (missing.length > 0) throw new Error(`${name}: nothing came to ${missing.join(', ')}`);
    return { rate, cpu: cpu * MICROSECONDS_OF_10_000 };
  } finally {
    await sink.stop();
  }
}
