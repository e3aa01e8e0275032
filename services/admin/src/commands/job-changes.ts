import { encodeCancelRequest, newJobId } from '@warren/contracts';
import { replayOne } from '@warren/dead-letter';
import type { HistoryEvent } from '@warren/history';
import { withAudit } from '../data-access/audit-trail.ts';
import { withHistory } from '../data-access/session-history.ts';
import { actor, whoAmI } from '../domain/who.ts';
import type { ExitCode } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import { visible } from '../text/visible.ts';
import { showResult } from './show-result.ts';
import { ENDED, type OneJobOptions, withJob } from './with-job.ts';

/** `warren jobs cancel`: asks for it. */
export async function cancelJob(
  admin: Admin,
  id: string,
  options: OneJobOptions,
): Promise<ExitCode> {
  const { shell, topology } = admin;
  return withJob(admin, id, options, async ({ queue, generation, state }, { audit, outbox }) => {
    if (ENDED.includes(state)) {
      if (options.json) showResult(shell, options, { id, queue, state, asked: false }, '');
      shell.err(`warren: the job is ${state}: there is nothing to cancel\n`);
      return 1;
    }
    const stream = topology.names.cancels;
    await withSession(admin, async (session) => {
      await session.depth(stream);
      const { reason } = options;
      await audit.write({ actor: actor(), action: 'job.cancel', details: { queue, id, reason } });
      // What a later request asks for must not become a part of a job that is not run.
      await outbox.endReplacing(id);
      const request = { id, queue, generation, by: actor(), atMs: Date.now() };
      await session.publisher.publish({
        exchange: '',
        routingKey: stream,
        body: encodeCancelRequest(request),
        properties: {
          messageId: newJobId(),
          contentType: 'application/json',
          appId: 'warren',
          persistent: true,
          mandatory: true,
        },
      });
    });
    const result = { id, queue, state, asked: true };
    showResult(shell, options, result, 'The workers are asked to end it.');
    return 0;
  });
}

/** `warren jobs retry`: replays its dead letter. @throws LockHeldError */
export async function retryJob(
  admin: Admin,
  id: string,
  options: OneJobOptions,
): Promise<ExitCode> {
  const { shell, topology } = admin;
  const { names } = topology;
  return withJob(admin, id, options, async ({ queue, type, state }, { projection }) => {
    const fail = (problem: string): ExitCode => {
      const result = { id, queue, replayedTo: null, generation: null, problem };
      if (options.json) showResult(shell, options, result, '');
      shell.err(`warren: ${visible(problem)}\n`);
      return 1;
    };
    if (state !== 'dead') return fail(`the job is ${state}, not dead: nothing was done`);
    const source = { queue: names.deadQueue(queue), workQueue: names.workQueue(queue) };
    const { reason } = options;
    const done = await withAudit(admin, true, async (audit) => {
      await audit.write('job.retry', { queue, id, reason });
      return withSession(admin, (session) =>
        withHistory(admin, session, async (history) => {
          const replayed = await replayOne({ session, topology, source, id, holder: whoAmI() });
          if (replayed.kind !== 'replayed') return replayed;
          const event = replayedEvent({ id, type, queue, generation: replayed.generation });
          history?.record(event);
          return { ...replayed, event };
        }),
      );
    });
    if (done.kind !== 'replayed') {
      return fail(
        done.kind === 'left' ? done.problem : `its dead letter is not in ${source.queue}`,
      );
    }
    const { generation, event } = done;
    // Once the history was told: the store must know nothing that a rebuild of it would not find.
    await projection.apply([event]);
    const result = { id, queue, replayedTo: done.queue, generation, problem: null };
    const sentence = `Replayed to ${visible(done.queue)} as generation ${generation}`;
    showResult(shell, options, result, sentence);
    return 0;
  });
}

function replayedEvent(
  job: Pick<HistoryEvent, 'id' | 'type' | 'queue' | 'generation'>,
): HistoryEvent {
  return { ...job, kind: 'replayed', atMs: Date.now(), attempt: 1, run: '', by: actor() };
}
