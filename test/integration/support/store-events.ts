import { newJobId } from '@warren/contracts';
import type { HistoryEvent } from '@warren/history';
import type { Acceptance } from '@warren/store';
import fc from 'fast-check';

/** What events of one job share. */
export interface JobBase {
  readonly id: string;
  readonly type: string;
  readonly queue: string;
  readonly generation: number;
  readonly attempt: number;
}

export function jobBase(id: string = newJobId(), queue = 'email.send'): JobBase {
  return { id, type: queue, queue, generation: 0, attempt: 1 };
}

/** A job that was queued, ran, told its progress, wrote a line and returned `result`. */
export function lifeOf(job: JobBase, atMs: number, result: string): HistoryEvent[] {
  const run = newJobId();
  return [
    { ...job, kind: 'queued', atMs, run: '', service: 'gateway', correlationId: `c-${job.id}` },
    { ...job, kind: 'started', atMs: atMs + 1, run, worker: 'worker-1' },
    { ...job, kind: 'progress', atMs: atMs + 2, run, fraction: 0.4, message: 'resized' },
    logLine(job, run, 1, atMs + 2),
    { ...job, kind: 'succeeded', atMs: atMs + 3, run, durationMs: 2, result },
  ];
}

export function logLine(job: JobBase, run: string, seq: number, atMs: number): HistoryEvent {
  return { ...job, kind: 'log', atMs, run, seq, level: 'info', message: `line ${seq}` };
}

/** An acceptance of a job with this id. */
export function acceptance(id: string, key?: string, payloadHash = 'h'): Acceptance {
  return {
    message: {
      id,
      exchange: 'jobs',
      routingKey: 'email.send',
      body: Buffer.from(`{"to":"é@example.org","id":"${id}"}`),
      properties: {
        messageId: id,
        headers: { 'x-attempt': 1, note: 'a\0\ud800', raw: Buffer.from([0, 255]) },
      },
    },
    event: {
      ...jobBase(id),
      attempt: 0,
      kind: 'accepted',
      atMs: Date.now(),
      run: '',
      service: 'gateway',
    },
    ...(key === undefined ? {} : { idempotency: { key, payloadHash } }),
  };
}

const run = fc.constantFrom('0190-a', '0190-b', '0190-c');
const error = fc.record({ name: fc.constant('Error'), message: fc.constantFrom('one', 'two') });

/** Any kind of event, of one of few runs and moments, so that many of them meet. Equal moments say equal things. */
export function anyEvents(id: string): fc.Arbitrary<HistoryEvent[]> {
  const place = fc.record({
    generation: fc.integer({ min: 0, max: 2 }),
    attempt: fc.integer({ min: 1, max: 3 }),
    atMs: fc.integer({ min: 1, max: 1_000_000 }),
  });
  const outside = fc.constantFrom<object>(
    { kind: 'accepted', run: '', service: 'gateway' },
    { kind: 'queued', run: '', service: 'gateway', correlationId: 'c' },
    { kind: 'replayed', run: '', by: 'ann' },
    { kind: 'cancelled', run: '', by: 'ann' },
    { kind: 'discarded', run: '' },
    { kind: 'expired', run: '' },
  );
  const within = fc.oneof(
    fc.record({ kind: fc.constant('started'), run, worker: fc.constantFrom('w1', 'w2') }),
    fc.record({ kind: fc.constant('progress'), run, fraction: fc.constantFrom(0, 0.5, 1) }),
    fc.record({
      kind: fc.constant('log'),
      run,
      seq: fc.integer({ min: 1, max: 5 }),
      level: fc.constant('info'),
      message: fc.constant('line'),
    }),
    fc.record({
      kind: fc.constant('retrying'),
      run,
      dueAtMs: fc.constant(9),
      isSpent: fc.boolean(),
      error,
    }),
    fc.record({ kind: fc.constant('interrupted'), run, reason: fc.constant('gone') }),
    fc.record({
      kind: fc.constant('succeeded'),
      run,
      durationMs: fc.constant(1),
      result: fc.constant('1'),
    }),
    fc.record({ kind: fc.constant('dead'), run, reason: fc.constant('attempts_exhausted'), error }),
  );
  const event = fc
    .tuple(place, fc.oneof(outside, within))
    .map(([at, rest]) => ({ ...jobBase(id), ...at, ...rest }) as HistoryEvent);
  return fc
    .uniqueArray(event, { selector: ({ atMs }) => atMs, maxLength: 14 })
    .map((events) => events.map(oneLineOneText));
}

/** A line is told once: the same number has the same moment. */
function oneLineOneText(event: HistoryEvent): HistoryEvent {
  return event.kind === 'log' ? { ...event, atMs: event.seq } : event;
}

/** What is drawn of a job that is accepted. */
type Life = Readonly<{
  acceptances: readonly Partial<Acceptance['event']>[];
  events: readonly HistoryEvent[];
  /** How it is queued. */
  own: Readonly<Pick<HistoryEvent, 'type'>>;
  isNamed: boolean;
  isLeft: boolean;
}>;

/**
 * A job that is accepted once or more, by services whose clocks differ and which do not agree about it, and of which the
 * history tells anything or nothing.
 */
export function anyAcceptedJob(): fc.Arbitrary<Life> {
  const service = fc.constantFrom('a', 'gateway', 'shop');
  const correlationId = fc.constantFrom(undefined, 'a', 'c', 'x');
  const atMs = fc.integer({ min: 0, max: 2_000_000_000_000 });
  const accepted = fc.record({ service, correlationId, atMs, attempt: fc.constantFrom(0, 1) });
  return fc.record({
    acceptances: fc.array(accepted, { minLength: 1, maxLength: 3 }),
    events: anyEvents('').map((events) => events.filter(({ kind }) => kind !== 'accepted')),
    own: fc.record({ service, correlationId, type: fc.constantFrom('email.send', 'a type') }),
    // Of those whose id does not tell when it was made.
    isNamed: fc.boolean(),
    // Whether its message stays in the outbox.
    isLeft: fc.boolean(),
  });
}

/** The same with an id, which is new each time. */
export function liveOnce({ acceptances, events, own, isNamed, isLeft }: Life) {
  const id = isNamed ? `named ${newJobId()}` : newJobId();
  const { message, event } = acceptance(id);
  return {
    id,
    isLeft,
    acceptances: acceptances.map((one) => ({ message, event: { ...event, ...one } })),
    events: events.map((one) => ({ ...one, ...(one.kind === 'queued' && own), id })),
  };
}
