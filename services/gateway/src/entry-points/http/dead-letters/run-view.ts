import type { ReplayReport } from '@warren/dead-letter';
import type { LetterRunRecord } from '@warren/store';
import { time } from '../status/job-view.ts';

/** A replay or discard as answers show it: times in ISO 8601. */
export function runView(run: LetterRunRecord) {
  const { id, kind, queue, state, actor: by, reason, selection, settings } = run;
  const { chosen, done, starts, isStopAsked: stopAsked, waitingFor } = run;
  const { problem, report } = run;
  return {
    id,
    kind,
    queue,
    state,
    by,
    reason,
    selection,
    settings,
    chosen,
    done,
    starts,
    stopAsked,
    waitingFor,
    problem,
    report,
    begunAt: time(run.begunAtMs),
    heardOfAt: time(run.aliveAtMs),
    endedAt: time(run.endedAtMs),
  };
}

/** A dry run; of a discard nothing stays, and nothing goes anywhere. */
export function planView(plan: ReplayReport, kind: LetterRunRecord['kind']) {
  const { queue, depth, selected, missing, replayed, targets, left, leftExamples } = plan;
  const what = { dryRun: true, queue, depth, selected };
  return kind === 'replay'
    ? { ...what, taken: replayed, targets, left, leftExamples }
    : { ...what, taken: selected - missing, left: 0, leftExamples: [] };
}
