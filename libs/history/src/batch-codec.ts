import { rowsOf } from './batch-rows.ts';
import { type CircuitReport, circuitReportIn } from './circuit-report.ts';
import { type Drops, dropsIn } from './drops.ts';
import type { HistoryEvent } from './event.ts';
import { eventsIn } from './event-row.ts';
import type { Heartbeat } from './heartbeat.ts';
import { heartbeatIn } from './heartbeat.ts';

/** Of the body's shape. A reader leaves out what has another version, so raise it only for what older ones must not read. */
const VERSION = 1;

/** What one message of the history tells. */
export interface DecodedBatch {
  readonly events: readonly HistoryEvent[];
  readonly heartbeats: readonly Heartbeat[];
  readonly circuits: readonly CircuitReport[];
  readonly drops: readonly Drops[];
  /** Events that this version cannot read; a message that is none of ours, or of another version, counts as one. */
  readonly skipped: number;
}

const NOTHING = { events: [], heartbeats: [], circuits: [], drops: [], skipped: 0 } as const;
const UNREADABLE: DecodedBatch = { ...NOTHING, skipped: 1 };

/** The body of one message with these events. */
export function encodeBatch(events: readonly HistoryEvent[]): Buffer {
  return Buffer.from(JSON.stringify({ v: VERSION, events: rowsOf(events) }));
}

/** The body of one message with a heartbeat. */
export function encodeHeartbeat(heartbeat: Heartbeat): Buffer {
  return Buffer.from(JSON.stringify({ v: VERSION, heartbeat }));
}

/** The body of one message with what changed of circuits. Readers that do not know of them find no event in it. */
export function encodeCircuitReport(report: CircuitReport): Buffer {
  return Buffer.from(JSON.stringify({ v: VERSION, events: [], circuits: report }));
}

/** The body of one message with what a writer has given up. As with circuits, others find no event in it. */
export function encodeDrops(drops: readonly Drops[]): Buffer {
  return Buffer.from(JSON.stringify({ v: VERSION, events: [], drops }));
}

/** Reads a message of the history. Never throws, whatever it is given: what cannot be read is counted. */
export function decodeBatch(body: Buffer): DecodedBatch {
  const content = contentOf(body);
  if (content?.v !== VERSION) return UNREADABLE;
  const { events, heartbeat, circuits } = content;
  const report = circuits === undefined ? undefined : circuitReportIn(circuits);
  if (report) return { ...NOTHING, circuits: [report] };
  const drops = dropsIn(content.drops);
  if (drops) return { ...NOTHING, drops };
  if (Array.isArray(events)) return decodeEvents(events);
  const beat = heartbeatIn(heartbeat);
  return beat ? { ...NOTHING, heartbeats: [beat] } : UNREADABLE;
}

interface Content {
  readonly v?: unknown;
  readonly events?: unknown;
  readonly heartbeat?: unknown;
  readonly circuits?: unknown;
  readonly drops?: unknown;
}

function contentOf(body: Buffer): Content | undefined {
  try {
    const content: unknown = JSON.parse(body.toString());
    return isObject(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function decodeEvents(given: readonly unknown[]): DecodedBatch {
  const events: HistoryEvent[] = [];
  let skipped = 0;
  for (const one of given) {
    const told = eventsIn(one);
    if (told) events.push(...told);
    else skipped += 1;
  }
  return { ...NOTHING, events, skipped };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
