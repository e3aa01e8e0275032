const INEQUIVALENT =
  /inequivalent arg '([^']+)' for (queue|exchange) '([^']+)' in vhost '([^']*)': received (.+?) but current is (.+?)(?:"|$)/;

/** Queues of which no jobs are run: no worker consumes them. */
const NOT_RUN = /\.dead$|(?:^|\.)jobs\.unroutable$/;

/** Queues that are only waited in. */
const TIER = /(?:^|\.)retry\.\d+(?:ms|s|m|h)$/;

/** Bounds of a stream. The kit declares them for no other queue. */
const RETENTION: ReadonlySet<string> = new Set([
  'x-max-age',
  'x-max-length-bytes',
  'x-stream-max-segment-size-bytes',
]);

/** A sentence for the broker's 406: which queue, which argument, both values, and what to do. */
export function explainMismatch(brokerText: string): string | undefined {
  const match = INEQUIVALENT.exec(brokerText);
  if (!match) return undefined;
  const [, argument, kind, name, vhost, received, current] = match;
  const whatToDo = isOtherRetention(brokerText)
    ? STREAM_ADVICE
    : advice(kind ?? '', name ?? '', vhost ?? '');
  return (
    `${kind} ${name} (vhost ${vhost}): argument ${argument} is ${plain(current)} at the broker, ` +
    `this version declares ${plain(received)}. ${whatToDo}`
  );
}

const STREAM_ADVICE =
  'The stream goes on with the bounds that it has. To change them, stop everything, delete the stream (what it tells, and ' +
  'no store has read yet, is gone), start again.';

/** Is it about how much of its past a stream keeps? */
export function isOtherRetention(brokerText: string): boolean {
  const [, argument = '', , , , received] = INEQUIVALENT.exec(brokerText) ?? [];
  return RETENTION.has(argument) && received !== 'none';
}

/** The broker writes `the value '1000' of type 'signedint'`, `'1000'` or `none`. */
function plain(text: string | undefined): string {
  return /'([^']*)'/.exec(text ?? '')?.[1] ?? (text ?? '').trim();
}

/** The broker's tools take the vhost `/` where none is given, and might delete a namesake there. */
function advice(kind: string, name: string, vhost: string): string {
  if (kind === 'exchange') {
    const inVhost = vhost === '/' ? '' : ` --vhost=${vhost}`;
    return `Delete the exchange (no message is kept in one) and start again: rabbitmqctl cannot, the management console or "rabbitmqadmin${inVhost} delete exchange name=${name}" can.`;
  }
  if (TIER.test(name)) {
    return `Nothing was changed. Restore the old setting, or move to the new one: "npx warren topology migrate ${name}" says how.`;
  }
  const first = NOT_RUN.test(name) ? '' : 'stop the workers of this queue, then ';
  return `Nothing was changed. Restore the old setting, or move to the new one: ${first}"npx warren topology migrate ${name}", which loses nothing.`;
}
