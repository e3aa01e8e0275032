import type { OutgoingMessage } from '@warren/broker';
import { HEADERS, isLane, type JobDefinition, type Lane } from '@warren/contracts';
import {
  build,
  type Entry,
  jobEntry,
  type MaybePromise,
  type Sender,
  validated,
} from '../outgoing-job.ts';
import { checkPublishOptions, type PublishOptions } from '../publish-options.ts';
import { createdHere } from '../traced-message.ts';

/** A job that is kept until it is sent: all of its message but the way in, which depends on when that is. */
export interface StoredJob {
  readonly id: string;
  readonly type: string;
  readonly body: Buffer;
  readonly properties: {
    readonly contentType?: string | undefined;
    readonly timestamp?: number | undefined;
    readonly correlationId?: string | undefined;
    readonly headers?: Readonly<Record<string, unknown>> | undefined;
    /** Not sent: it says where the job goes in. */
    readonly lane?: Lane | undefined;
  };
  readonly notBeforeMs?: number | undefined;
}

const NOWHERE: Entry = { exchange: '', routingKey: '', mandatory: true };

/** As `toJobMessage`, for a job that is sent later. */
export function toStoredJob(
  job: JobDefinition,
  payload: unknown,
  options: PublishOptions | undefined,
): MaybePromise<StoredJob> {
  const nowMs = Date.now();
  const checked = checkPublishOptions(options, nowMs, job);
  return validated(job, payload, () => {
    const { delayMs, lane } = checked;
    const message = build({ service: '' }, job, payload, checked, NOWHERE, nowMs);
    // Of where it goes in only this is known by now, and only its trace is told.
    const { body, properties } = createdHere({ ...message, routingKey: job.type });
    const { messageId: id, contentType, timestamp, correlationId, headers } = properties;
    return {
      id,
      type: job.type,
      body,
      properties: {
        contentType,
        timestamp,
        correlationId,
        headers,
        ...(lane !== 'normal' && { lane }),
      },
      ...(delayMs > 0 && { notBeforeMs: Math.ceil(nowMs + delayMs) }),
    };
  });
}

/** The message of a job that was kept, as it is to be sent now. */
export function fromStoredJob(sender: Sender, stored: StoredJob, nowMs: number): OutgoingMessage {
  const { id, type, body, properties, notBeforeMs = nowMs } = stored;
  const { contentType, timestamp, correlationId, headers, lane } = properties;
  const wait = {
    delayMs: Math.max(0, notBeforeMs - nowMs),
    lane: isLane(lane) ? lane : ('normal' as const),
  };
  const entry = jobEntry(sender.names, type, wait, nowMs);
  const allHeaders =
    entry.notBeforeMs === undefined
      ? headers
      : { ...headers, [HEADERS.notBefore]: entry.notBeforeMs };
  return {
    exchange: entry.exchange,
    routingKey: entry.routingKey,
    body,
    properties: {
      messageId: id,
      type,
      appId: sender.service,
      persistent: true,
      mandatory: true,
      ...(contentType !== undefined && { contentType }),
      ...(timestamp !== undefined && { timestamp }),
      ...(correlationId !== undefined && { correlationId }),
      ...(entry.expirationMs !== undefined && { expiration: String(entry.expirationMs) }),
      ...(allHeaders && { headers: allHeaders }),
    },
  };
}
