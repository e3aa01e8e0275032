import { BrokerSession } from '@warren/broker';
import { sendEmail } from '@warren/catalog';
import { newJobId } from '@warren/contracts';
import { dropStore } from '@warren/testing';
import type { Stage } from '../stage.ts';
import { expectSame } from '../support/expect-same.ts';
import { publishMails } from '../support/publish-mails.ts';
import { waitFor } from '../support/wait-for.ts';
import { type WarrenCommand, warrenCommand } from './warren-command.ts';

const CUSTOMERS = Array.from({ length: 400 }, (_, index) => `customer-${index + 1}@example.org`);
/** What a program that does not use the kit has sent: the text is missing. */
const WRONG = { to: 'ada@example.org', subject: 'Your invoice', body: 'It is attached.' };
const PATCH = { text: 'It is attached.', body: null };

/** What an operator does who is woken by dead letters: looks, mends one, tries ten, and replays the rest. */
export async function deadLettersAtNight(
  stage: Stage,
  tell: (line: string) => void,
): Promise<void> {
  const { jobs, mailbox, topology, signal } = stage;
  const warren = warrenCommand(stage, tell);
  const queue = topology.names.deadQueue('email.send');
  try {
    const wrong = await publishWrong(stage);
    await deadLetters(stage, queue, 1);
    await mailbox.fail('permanent');
    const mails = await publishMails(jobs, CUSTOMERS, 'Your order');
    await deadLetters(stage, queue, 1 + CUSTOMERS.length);

    tell('# 03:00. The alert says that email.send has dead letters. What are they?');
    const groups = await warren(['dead', 'groups', 'email.send']);
    const fingerprint = fingerprintOf(groups, CUSTOMERS.length);
    const replay = ['dead', 'replay', 'email.send', '--fingerprint', fingerprint, '--canary', '10'];
    tell('');
    tell(
      '# The mail server refuses all. Still? Ten are tried: they fail again, the rest stays where it is.',
    );
    await warren([...replay, '--reason', 'still refused?'], 1);
    await deadLetters(stage, queue, 1 + CUSTOMERS.length);
    await mailbox.fail('none');
    await mendOne(warren, wrong, tell);
    tell('');
    tell('# The mail server is mended. The ten pass, and the others follow, 100 in a second.');
    await warren([...replay, '--rate', '100', '--reason', 'mail server mended']);
    await waitFor(
      'all mails arrive',
      async () => (await mailbox.arrived()).size === 1 + CUSTOMERS.length || undefined,
      signal,
    );
    tell('');
    tell('# Nothing is left, and who did what can be seen.');
    await warren(['dead', 'groups', 'email.send']);
    await warren(['dead', 'ledger']);
    const arrived = await mailbox.arrived();
    expectSame('mails that did not arrive', mails.filter((id) => !arrived.has(id)).length, 0);
    expectSame('dead letters', await stage.depth(queue), 0);
  } finally {
    await dropStore(topology.names.namespace ?? '');
  }
}

async function mendOne(
  warren: WarrenCommand,
  id: string,
  tell: (line: string) => void,
): Promise<void> {
  tell('');
  tell('# One is of another kind: what is it?');
  await warren(['dead', 'show', 'email.send', id, '--show-pii']);
  tell('');
  tell(
    '# Its text has another name. A correction is checked before it is sent; the first one is wrong, too.',
  );
  const edit = ['dead', 'edit', 'email.send', id, '--reason', 'body is called text', '--patch'];
  await warren([...edit, JSON.stringify({ body: null })], 1);
  tell('');
  await warren([...edit, JSON.stringify(PATCH)]);
}

/** As any AMQP client can. @returns the job's id */
async function publishWrong({ session, topology }: Stage): Promise<string> {
  const opened = await BrokerSession.open(session);
  try {
    const messageId = newJobId();
    await opened.publisher.publish({
      exchange: topology.names.jobs,
      routingKey: sendEmail.type,
      body: Buffer.from(JSON.stringify(WRONG)),
      properties: { messageId, persistent: true, mandatory: true, headers: {} },
    });
    return messageId;
  } finally {
    await opened.close();
  }
}

async function deadLetters({ depth, signal }: Stage, queue: string, count: number): Promise<void> {
  const isReached = async () => (await depth(queue)) === count || undefined;
  await waitFor(`${count} dead letters`, isReached, signal);
}

/** Of the group with so many dead letters, as `warren dead groups` prints it. */
function fingerprintOf(groups: string, count: number): string {
  const line = groups.split('\n').find((one) => new RegExp(`(^|\\s)${count}\\s`).test(one));
  const found = /\b[0-9a-f]{8,}\b/.exec(line ?? '')?.[0];
  if (found === undefined) throw new Error(`no group of ${count} in:\n${groups}`);
  return found;
}
