import { HEADERS, newJobId } from '@warren/contracts';
import type { Delivery } from './delivery.ts';
import { copyMessage } from './move-message.ts';
import { readMessage } from './received-message.ts';
import { SettleWindow } from './settle-window.ts';

const RUN = 50;

const id = newJobId();
const fields = { redelivered: false };
const fresh = delivery({ messageId: id, type: 'bench.job', contentType: 'application/json' });
const retried = delivery({
  messageId: id,
  type: 'bench.job',
  contentType: 'application/json',
  headers: { [HEADERS.attempt]: 2, [HEADERS.error]: 'Error: down', 'x-tenant': 'acme' },
});
const received = { ...readMessage(retried), id };
const move = { exchange: 'retry.10s', routingKey: 'bench.job', headers: { attempt: 3 } };
const acknowledge = () => {};

const inOrder = new SettleWindow();
const outOfOrder = new SettleWindow();

/** One operation each; run by `npm run bench:micro`. */
export const micro: Readonly<Record<string, () => unknown>> = {
  'read a message without headers': () => readMessage(fresh),
  'read a message with headers': () => readMessage(retried),
  'copy a message for a move': () => copyMessage(retried, received, move),
  [`settle a run of ${RUN}`]: () => settleRun(inOrder, (index) => index),
  [`settle ${RUN}, the last first`]: () => settleRun(outOfOrder, (index) => RUN - 1 - index),
};

function settleRun(window: SettleWindow, at: (index: number) => number): void {
  const first = window.lastTag + 1;
  for (let index = 0; index < RUN; index += 1) window.add(first + index);
  for (let index = 0; index < RUN; index += 1) window.complete(first + at(index), 0);
  window.flushRun(acknowledge);
}

function delivery(properties: object): Delivery {
  const body = Buffer.from('{}');
  return { message: { content: body, fields, properties }, body, receivedAtMs: 0 } as Delivery;
}
