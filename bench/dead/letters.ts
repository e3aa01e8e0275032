import { HEADERS, newJobId } from '@warren/contracts';
import type { Names } from '@warren/topology';
import type { ChannelModel, ConfirmChannel } from 'amqplib';
import { benchJob } from '../job.ts';
import { WINDOW } from '../systems/system.ts';

/** What they died of, in turn. */
const TROUBLES = [
  ['Error [ECONNREFUSED]', 'connect ECONNREFUSED 192.0.2.1:25', 'sendMail', 'services/mail/smtp'],
  [
    'TypeError',
    "Cannot read properties of undefined (reading 'name')",
    'greet',
    'services/mail/text',
  ],
  ['TimeoutError [TIMEOUT]', 'no answer within 10000 ms', 'ask', 'services/mail/lookup'],
] as const;

/** Fills the queue of dead letters as workers do: each in its place, persistent, confirmed, with what it died of. */
export async function buryLetters(
  connection: ChannelModel,
  names: Names,
  count: number,
  bodyOf: (order: number) => Buffer,
): Promise<void> {
  const channel = await connection.createConfirmChannel();
  await new Promise<void>((resolve, reject) => {
    let [sent, confirmed] = [0, 0];
    const onConfirm = (error: Error | null) => {
      if (error) return reject(error);
      confirmed += 1;
      if (confirmed === count) resolve();
      else fill();
    };
    const fill = () => {
      while (sent < count && sent - confirmed < WINDOW) {
        sent += 1;
        bury(channel, names, bodyOf(sent), sent, onConfirm);
      }
    };
    fill();
  });
  await channel.close();
}

function bury(
  channel: ConfirmChannel,
  names: Names,
  body: Buffer,
  order: number,
  onConfirm: (error: Error | null) => void,
): void {
  const origin = names.workQueue(benchJob.type);
  const [kind, message, where, file] = TROUBLES[order % TROUBLES.length] ?? TROUBLES[0];
  const nowMs = Date.now();
  channel.publish(
    names.dead,
    origin,
    body,
    {
      persistent: true,
      mandatory: true,
      messageId: newJobId(),
      type: benchJob.type,
      contentType: 'application/json',
      timestamp: Math.floor(nowMs / 1_000),
      appId: 'bench',
      headers: {
        [HEADERS.attempt]: 3,
        [HEADERS.publishedAt]: nowMs,
        [HEADERS.deadAt]: nowMs,
        [HEADERS.deadReason]: 'attempts_exhausted',
        [HEADERS.origin]: origin,
        [HEADERS.error]: `attempt 3: ${kind}: ${message}\n    at ${where} (/app/${file}.ts:${order % 100}:7)`,
      },
    },
    onConfirm,
  );
}
