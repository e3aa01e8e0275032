import { HEADERS } from '@warren/contracts';
import type { Installation } from '@warren/testing';
import { probe } from '../fixtures/probe-job.ts';

/** Takes the dead letters of the probe job out of their queue: why each was given up, by job id. */
export async function deadReasons({
  admin,
  topology,
}: Installation): Promise<Record<string, unknown>> {
  const messages = await admin.take(topology.names.deadQueue(probe.type));
  return Object.fromEntries(
    messages.map(({ properties }) => [
      String(properties.messageId),
      properties.headers?.[HEADERS.deadReason],
    ]),
  );
}
