import { isTerminal, stateAfter } from '@warren/history';
import type { JobRecord } from '@warren/store';
import type { Request, Response } from 'express';
import type { Route } from '../route.ts';
import { findJob, hasEnded, jobIdOf } from '../status/find-job.ts';
import { jobView } from '../status/job-view.ts';
import { JOB_ID, QUEUE } from '../status/parameters.ts';
import { readQuery } from '../status/query.ts';
import { FOLLOW_ERRORS, needed, STORE_ERRORS } from '../status/store-port.ts';
import { EVENT_STREAM, READING_MS, toWriter } from './event-stream-route.ts';
import { LAST_EVENT_ID, type LiveOptions, lastEventId, neededHub } from './live-options.ts';
import { SseWriter } from './sse-writer.ts';

/** What the store learns that no event told this client: it is looked at so often. */
const LOOK_MS = 2_000;

/** `GET /v1/jobs/:id/events`: one job, as it goes on, until it has ended. */
export function jobEventsRoute(options: LiveOptions): Route {
  return {
    method: 'get',
    path: '/v1/jobs/:id/events',
    handle: (request, response) => getJobEvents(request, response, options),
    doc: {
      operationId: 'followJob',
      tag: 'jobs',
      summary: 'What happens to a job, until it has ended',
      description:
        'Server-sent events: `state` with the whole job at first and at the end, and the events of the job by their kinds, such as `progress` and `log`. Ends with the job; who comes back after that is answered 204, so that an EventSource stops.',
      parameters: [JOB_ID, QUEUE, LAST_EVENT_ID],
      responses: { ...EVENT_STREAM, 204: { description: 'It has ended, and was told before.' } },
      errors: {
        400: ['BAD_REQUEST'],
        404: ['NOT_FOUND'],
        ...STORE_ERRORS,
        503: FOLLOW_ERRORS,
      },
    },
  };
}

async function getJobEvents(
  request: Request,
  response: Response,
  options: LiveOptions,
): Promise<void> {
  const { queue } = readQuery(request, ['queue']);
  const after = lastEventId(request);
  const reader = needed(options.reader);
  const hub = neededHub(options);
  const found = await findJob(reader, { id: jobIdOf(request.params['id']), queue });
  if (hasEnded(found) && after !== undefined) {
    response.status(204).end();
    return;
  }
  const key = { id: found.id, queue: found.queue };
  const read = () => findJob(reader, key);
  const leave = hub.seat();
  await new JobFeed(response, { stopping: options.stopping, read, leave }).run(hub, found, after);
}

/** One client that follows one job. */
class JobFeed {
  readonly #writer: SseWriter;
  readonly #read: () => Promise<JobRecord>;
  readonly #end = () => this.#writer.end();
  #stop: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #told: string | undefined;

  constructor(
    response: Response,
    {
      stopping,
      read,
      leave,
    }: { stopping: AbortSignal; read: () => Promise<JobRecord>; leave: () => void },
  ) {
    this.#read = read;
    this.#writer = new SseWriter(response, () => {
      leave();
      this.#stop();
      clearTimeout(this.#timer);
      stopping.removeEventListener('abort', this.#end);
    });
    stopping.addEventListener('abort', this.#end);
    if (stopping.aborted) this.#end();
  }

  async run(
    hub: ReturnType<typeof neededHub>,
    { id, queue }: JobRecord,
    after: number | undefined,
  ): Promise<void> {
    const { onEvents, onGap } = toWriter(this.#writer);
    this.#stop = hub.follow(
      {
        fits: (event) => event.id === id && event.queue === queue,
        onEvents: (events, offset) => {
          onEvents(events, offset);
          if (events.some((event) => isTerminal(stateAfter(event) ?? 'queued'))) this.#lookIn(20);
        },
        onGap,
      },
      after,
    );
    // Gone meanwhile.
    if (this.#writer.isOver) this.#stop();
    await hub.reading(READING_MS);
    await this.#look();
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#writer.isOver) this.#timer = setTimeout(() => void this.#look(), ms);
  }

  /** Tells where the job stands if that is news, and ends with it. */
  async #look(): Promise<void> {
    const job = await this.#read().catch(() => undefined);
    if (this.#writer.isOver) return;
    if (job) {
      const state = `${job.state} ${job.generation} ${job.attempt}`;
      if (state !== this.#told) this.#writer.send('state', jobView(job));
      this.#told = state;
      if (hasEnded(job)) {
        this.#writer.end();
        return;
      }
    }
    this.#lookIn(LOOK_MS);
  }
}
