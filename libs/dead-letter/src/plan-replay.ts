import { type Original, type PublishCheck, readMessage } from '@warren/broker';
import { isTracing } from '@warren/telemetry';
import { type DeadLetter, readDeadLetter } from './dead-letter.ts';
import { changedBody, changesPayload, isAboutLetter } from './letter-change.ts';
import { parkedBecause } from './parking.ts';
import type { ReplayOptions } from './replay.ts';
import { replayCopy } from './replay-copy.ts';
import { type ReplayReport, replayReport, takeReport } from './replay-report.ts';
import { replayTargets, targetOf } from './replay-source.ts';
import { isWhole, selector } from './selection.ts';
import { type LeftLetter, TakeTally } from './take-tally.ts';
import { TargetChecks } from './target-checks.ts';

const MAX_EXAMPLES = 100;
/** Characters: of four bytes each they are still within what the client writes. */
const SMALL = 8_192;
/** As long as that of any replay. */
const ANY_SPAN = `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`;

/** What goes to one queue, or would. */
interface Planned {
  count: number;
  readonly ids: (string | undefined)[];
  /** Of those that cannot be published; also in the figures above. */
  unfit: number;
  readonly unfitExamples: LeftLetter[];
}

/**
 * A dry run: what `replay` would do with the selection, and what could not be published and would stay. Changes nothing, as
 * `inspect`, and keeps no more than a few ids, and bodies only while a schema looks at them.
 * @throws QueueMissingError, or an error when the connection is lost
 */
export async function planReplay(options: ReplayOptions): Promise<ReplayReport> {
  const { session, source, topology, selection, maxReplays, to } = options;
  const { limit = Number.MAX_SAFE_INTEGER } = options;
  const targets = replayTargets(topology, source);
  const isMeant = selector(selection);
  const plan = new Map<string | undefined, Planned>();
  const tally = new TakeTally();
  const check = checker(options, tally);
  const unfit = unfitness(options, await session.publishCheck());
  let chosen = 0;
  if (to) await session.depth(to.queue);
  const depth = await session.browse(source.queue, {
    limit: isWhole(selection) ? limit : Number.MAX_SAFE_INTEGER,
    onMessage(message) {
      const letter = readDeadLetter(message, 0);
      if (isMeant(letter)) {
        chosen += 1;
        const parked = parkedBecause(letter, maxReplays);
        const target = to?.queue ?? targetOf(letter, source, targets);
        const problem = unfit(message, target);
        if (parked === undefined) check.look(letter, () => add(plan, target, letter.id, problem));
        else tally.leave(letter.id, parked);
      } else tally.passed += 1;
      return chosen < limit;
    },
  });
  await check.done();
  await decide(plan, new TargetChecks(session), tally);
  const selected = isWhole(selection) ? Math.min(depth, limit) : chosen;
  tally.missing = selected - chosen;
  const facts = { queue: source.queue, dryRun: true, depth };
  return replayReport(takeReport(facts, { selected, stopped: undefined }, tally), tally);
}

/** Checks payloads where a replay would, one after the other: a schema may take its time. */
function checker(change: ReplayOptions, tally: TakeTally) {
  let last = Promise.resolve();
  const one = async (letter: DeadLetter, good: () => void) => {
    try {
      await changedBody(letter, change);
      good();
    } catch (error) {
      if (!isAboutLetter(error)) throw error;
      tally.leave(letter.id, (error as Error).message);
    }
  };
  return {
    look(letter: DeadLetter, good: () => void): void {
      if (changesPayload(change)) {
        last = last.then(() => one(letter, good));
        // Told by `done`.
        last.catch(() => {});
      } else good();
    },
    done: () => last,
  };
}

/** Says of a letter why its copy could not be published: headers that the client cannot write as they are. */
function unfitness({ topology, to }: ReplayOptions, check: PublishCheck) {
  return (message: Original['message'], queue: string | undefined): string | undefined => {
    if (queue === undefined || isSmallAndPlain(message.properties.headers ?? {})) return undefined;
    const original = { message, body: message.content, receivedAtMs: Date.now() };
    const way = { exchange: to?.exchange ?? topology.names.due, queue, type: to?.job?.type };
    try {
      const span = isTracing() ? ANY_SPAN : undefined;
      check(replayCopy(original, readMessage(original), way, original.receivedAtMs, span));
      return undefined;
    } catch (error) {
      if (!isAboutLetter(error)) throw error;
      return (error as Error).message;
    }
  };
}

/** Such headers can be written: of most letters, so that no copy has to be made to see it. */
function isSmallAndPlain(headers: Readonly<Record<string, unknown>>): boolean {
  if (Object.getPrototypeOf(headers) !== Object.prototype) return false;
  let length = 0;
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'object' || isOddNumber(value)) return false;
    length += name.length + String(value).length;
  }
  return length < SMALL;
}

/** From there on the client takes numbers for whole ones of 64 bits, also those that are not, and fails. */
const isOddNumber = (value: unknown): boolean =>
  typeof value === 'number' && !(Math.abs(value) < 2 ** 50);

function add(
  plan: Map<string | undefined, Planned>,
  target: string | undefined,
  id: string | undefined,
  problem: string | undefined,
): void {
  const planned = plan.get(target) ?? { count: 0, ids: [], unfit: 0, unfitExamples: [] };
  plan.set(target, planned);
  planned.count += 1;
  if (planned.ids.length < MAX_EXAMPLES) planned.ids.push(id);
  if (problem === undefined) return;
  planned.unfit += 1;
  if (planned.unfitExamples.length < MAX_EXAMPLES) planned.unfitExamples.push({ id, problem });
}

async function decide(
  plan: ReadonlyMap<string | undefined, Planned>,
  checks: TargetChecks,
  tally: TakeTally,
): Promise<void> {
  for (const [target, { count, ids, unfit, unfitExamples }] of plan) {
    const problem = await checks.problemOf(target);
    if (problem === undefined && target !== undefined) {
      if (count > unfit) tally.toQueue(target, count - unfit);
      leaveAll(tally, unfit, unfitExamples);
    } else {
      const examples = ids.map((id) => ({ id, problem: problem ?? '' }));
      leaveAll(tally, count, examples);
    }
  }
}

function leaveAll(tally: TakeTally, count: number, examples: readonly LeftLetter[]): void {
  for (const { id, problem } of examples) tally.leave(id, problem);
  tally.left += count - examples.length;
}
