import { hostname } from 'node:os';
import { BrokerSession } from '@warren/broker';
import { type DeadLetter, inspect, replay } from '@warren/dead-letter';
import type { Stage } from '../stage.ts';
import { count } from '../support/count.ts';
import { expectSame } from '../support/expect-same.ts';
import { publishMails } from '../support/publish-mails.ts';
import { waitFor } from '../support/wait-for.ts';

/** Dead letters are looked at, their cause is mended, and they are replayed; what fails again is one again. */
export async function replayDeadLetters(stage: Stage, tell: (line: string) => void): Promise<void> {
  const { jobs, log, mailbox, signal } = stage;
  await mailbox.fail('permanent');
  tell('the mail server refuses everybody (550)');
  const [id = ''] = await publishMails(jobs, ['customer-9@example.org'], 'Your invoice');
  tell(`1 mail published, ${id}`);
  await waitFor('it is given up', () => log.of(id)?.state === 'dead' || undefined, signal);
  await mailbox.fail('none');
  const session = await BrokerSession.open(stage.session);
  try {
    await replayAll(stage, session, id, tell);
  } finally {
    await session.close();
  }
}

async function replayAll(
  stage: Stage,
  session: BrokerSession,
  id: string,
  tell: (line: string) => void,
): Promise<void> {
  const { mailbox, topology, signal } = stage;
  const queue = topology.names.deadQueue('email.send');
  const look = async () => (await inspect({ session, queue, limit: 10 })).letters;
  const before = await look();
  tell(`the mail server works again; ${count(before.length, 'dead letter')} in email.send.dead:`);
  for (const letter of before) tell(`  ${describe(letter)}`);
  const source = { queue, workQueue: topology.names.workQueue('email.send') };
  const report = await replay({
    session,
    topology,
    source,
    holder: `demo on ${hostname()}`,
    signal,
  });
  tell(`${report.replayed} replayed`);
  const hasArrived = async () => (await mailbox.arrived()).has(id) || undefined;
  await waitFor('the replayed mail arrives', hasArrived, signal);
  tell(`${id} delivered`);
  const isBack = async () => (await stage.depth(queue)) === 1 || undefined;
  await waitFor('the one that is always refused is back', isBack, signal);
  const after = await look();
  for (const letter of after) tell(`refused again, and a dead letter again: ${describe(letter)}`);

  expectSame('replayed', report.replayed, 2);
  expectSame(
    'ids of dead letters',
    after.map((letter) => letter.id),
    [before[0]?.id],
  );
  expectSame(
    'generations',
    after.map(({ generation }) => generation),
    [1],
  );
}

function describe({ id, reason, generation }: DeadLetter): string {
  return `${id}: ${reason}, generation ${generation}`;
}
