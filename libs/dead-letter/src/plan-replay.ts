import { type DeadLetter, readDeadLetter } from './dead-letter.ts';
import { changedBody, changesPayload, isAboutLetter } from './letter-change.ts';
import { parkedBecause } from './parking.ts';
import type { ReplayOptions } from './replay.ts';
import { type ReplayReport, replayReport, takeReport } from './replay-report.ts';
import { replayTargets, targetOf } from './replay-source.ts';
import { isWhole, selector } from './selection.ts';
import { TakeTally } from './take-tally.ts';
import { TargetChecks } from './target-checks.ts';

const MAX_EXAMPLES = 100;

interface Planned {
  count: number;
  readonly ids: (string | undefined)[];
}

/**
 * A dry run: what `replay` would do with the selection. Changes nothing, as `inspect`, and keeps no more than a few ids, and
 * bodies only while a schema looks at them.
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
        if (parked === undefined) check.look(letter, () => add(plan, target, letter.id));
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

function add(
  plan: Map<string | undefined, Planned>,
  target: string | undefined,
  id: string | undefined,
): void {
  const planned = plan.get(target) ?? { count: 0, ids: [] };
  plan.set(target, planned);
  planned.count += 1;
  if (planned.ids.length < MAX_EXAMPLES) planned.ids.push(id);
}

async function decide(
  plan: ReadonlyMap<string | undefined, Planned>,
  checks: TargetChecks,
  tally: TakeTally,
): Promise<void> {
  for (const [target, { count, ids }] of plan) {
    const problem = await checks.problemOf(target);
    if (problem === undefined && target !== undefined) tally.toQueue(target, count);
    else {
      for (const id of ids) tally.leave(id, problem ?? '');
      tally.left += count - ids.length;
    }
  }
}
