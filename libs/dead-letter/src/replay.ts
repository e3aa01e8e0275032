import { type Delivery, readMessage } from '@warren/broker';
import type { HistorySink } from '@warren/history';
import type { Topology } from '@warren/topology';
import { type Canary, type ReplayedJob, runCanary } from './canary.ts';
import { type CircuitHold, type HeldBy, heldByText } from './circuit-hold.ts';
import { readDeadLetter } from './dead-letter.ts';
import { LedgerLostError } from './ledger/key-recorder.ts';
import { type LedgerOptions, withLedger } from './ledger/ledger-run.ts';
import { changedBody, type LetterChange } from './letter-change.ts';
import { replayEvents } from './letter-events.ts';
import { parkedBecause } from './parking.ts';
import { publishReplay } from './publish-replay.ts';
import { cameBack } from './replay-copy.ts';
import { type ReplayReport, replayReport, takeReport } from './replay-report.ts';
import { placeOf, type ReplaySource, replayTargets, targetOf } from './replay-source.ts';
import { ReplayWait } from './replay-wait.ts';
import { type TakeHow, type TakeLettersOptions, takeLetters } from './take-letters.ts';
import { type Stop, type TakeEnd, TakeTally } from './take-tally.ts';
import { TargetChecks } from './target-checks.ts';

/** What a replay needs. */
export interface ReplayOptions extends TakeLettersOptions, LetterChange {
  readonly topology: Topology;
  readonly source: ReplaySource;
  /** Who replays, for whoever comes second. */
  readonly holder: string;
  /** The same for the history. */
  readonly by?: string | undefined;
  /** Is told of each that was replayed. */
  readonly history?: HistorySink | undefined;
  /** Replays a few first and goes on only when they did not fail again. */
  readonly canary?: Canary | undefined;
  /** Lets what would only wait behind an open circuit wait here: the next letter is not begun before it may go. */
  readonly hold?: CircuitHold | Promise<CircuitHold> | undefined;
  /** Is told what the next letter waits for, once, and when it waits no more. It must not throw. */
  readonly onWaiting?: ((heldBy: HeldBy | undefined) => void) | undefined;
  /** One that was replayed so often stays where it is. Default: none does. */
  readonly maxReplays?: number | undefined;
  /** Remembers what was chosen and what is done, so that it can be resumed. */
  readonly ledger?: LedgerOptions | undefined;
}

/**
 * Moves dead letters back to the queues that they failed in, or to another one: publish a copy, confirmed, then ack. What is met is fixed at
 * the start, so a job that fails again is not taken twice; nobody else replays the same queue meanwhile. What cannot be
 * published stays where it is. Killed at any moment it loses nothing and repeats at most its window.
 * @throws LockHeldError naming who replays; QueueMissingError. Whatever ends it later is in the report
 */
export async function replay(options: ReplayOptions): Promise<ReplayReport> {
  const { session, topology, source, holder } = options;
  const { queue } = source;
  // First: the lock of a queue that does not exist would be no harm, but it would be an odd answer.
  await session.depth(queue);
  if (options.to) await session.depth(options.to.queue);
  await session.lock(topology.names.replayLock(queue), holder);
  const { selection, limit, ledger, onProgress } = options;
  const { signal: asked } = options;
  const what = { session, queue, selection, limit, ledger, onProgress, signal: asked };
  return withLedger(what, async (run, signal) => {
    const depth = await session.depth(queue);
    const tally = new TakeTally();
    const waits = {
      hold: await options.hold,
      onWaiting(heldBy: HeldBy | undefined) {
        options.onWaiting?.(heldBy);
        run?.waits(heldBy && heldByText(heldBy));
      },
    };
    const how = { ...options, ...waits, signal, run, limit: run?.limit ?? limit };
    const end = await replayAll(how, run?.toLookAt(depth) ?? depth, tally);
    return replayReport(takeReport({ queue, dryRun: false, depth }, end, tally), tally);
  });
}

type ReplayHow = Omit<ReplayOptions, 'hold'> &
  Pick<TakeHow, 'run'> & { readonly hold?: CircuitHold | undefined };

async function replayAll(options: ReplayHow, depth: number, tally: TakeTally): Promise<TakeEnd> {
  const { source, run, limit = Number.POSITIVE_INFINITY } = options;
  const mover = new Mover(options, tally);
  const act = (delivery: Delivery) => mover.move(delivery);
  const { hold, onWaiting } = options;
  const wait = hold && new ReplayWait(hold, (delivery) => mover.queueOf(delivery), onWaiting);
  const take = (room: number) => {
    const there = depth - tally.taken - tally.doneBefore;
    return takeLetters(source.queue, there, { ...options, limit: room, wait }, tally, act);
  };
  const canary = run?.isCanaryPassed ? undefined : options.canary;
  if (!canary) return take(limit);
  const jobs = mover.remember();
  const first = await take(Math.min(canary.count, limit));
  const stopped = first.stopped ?? (await tried(canary, jobs, options));
  if (stopped || tally.taken >= limit) return { ...first, stopped };
  const { taken } = tally;
  tally.beginAgain();
  const rest = await take(limit - taken);
  return { selected: taken + rest.selected, stopped: rest.stopped };
}

/** Undefined when the rest may follow, also where it is resumed later. */
async function tried(
  canary: Canary,
  jobs: readonly ReplayedJob[],
  options: ReplayHow,
): Promise<Stop | undefined> {
  const stopped = await runCanary(canary, jobs, options);
  if (stopped || jobs.length === 0) return stopped;
  try {
    await options.run?.passCanary();
    return undefined;
  } catch (error) {
    return { reason: 'ledger_lost', message: new LedgerLostError(error).message };
  }
}

/** Moves one after the other. */
class Mover {
  readonly #options: ReplayHow;
  readonly #tally: TakeTally;
  readonly #targets: ReadonlySet<string>;
  readonly #checks: TargetChecks;
  readonly #startedAtMs = Date.now();
  #jobs: ReplayedJob[] | undefined;

  constructor(options: ReplayHow, tally: TakeTally) {
    this.#options = options;
    this.#tally = tally;
    this.#targets = replayTargets(options.topology, options.source);
    this.#checks = new TargetChecks(options.session);
  }

  /** The jobs that are replayed from now on, until the next call. */
  remember(): readonly ReplayedJob[] {
    this.#jobs = [];
    return this.#jobs;
  }

  /** Where one goes; undefined where that is not known. */
  queueOf({ message }: Delivery): string | undefined {
    const { to, source } = this.#options;
    return to?.queue ?? targetOf(placeOf(message), source, this.#targets);
  }

  async move(delivery: Delivery): Promise<void> {
    const { session, topology, history, by, run, to } = this.#options;
    const received = readMessage(delivery);
    // What is remembered as chosen is of the generation that it had then.
    if (!run && cameBack(received, this.#startedAtMs, Date.now())) {
      this.#tally.cameBack += 1;
      return;
    }
    const { message } = delivery;
    const queue = this.queueOf(delivery);
    const problem =
      parkedBecause(received, this.#options.maxReplays) ?? (await this.#checks.problemOf(queue));
    if (problem !== undefined || queue === undefined) {
      this.#tally.leave(received.id, problem ?? '');
      return;
    }
    const body = await changedBody(readDeadLetter(message, 0), this.#options);
    const atMs = Date.now();
    const way = { exchange: to?.exchange ?? topology.names.due, queue, type: to?.job?.type };
    const id = await publishReplay(session, { delivery, received, to: way, atMs, body });
    await run?.done(delivery);
    if (delivery.ack()) this.#tally.toQueue(queue);
    else this.#tally.unknown += 1;
    const deed = { queue, by, atMs, type: to?.job?.type };
    for (const event of replayEvents(delivery, deed, this.#options)) history?.record(event);
    this.#jobs?.push({ id, generation: received.generation + 1 });
  }
}
