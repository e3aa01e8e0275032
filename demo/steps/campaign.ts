import { sendCampaign } from '@warren/catalog';
import type { Stage } from '../stage.ts';
import { expectSame } from '../support/expect-same.ts';
import type { Fate } from '../support/job-log.ts';
import { waitFor } from '../support/wait-for.ts';

/** The mailbox turns the second domain away once, and refuses the third for good. */
const ADDRESSES = [
  ...Array.from({ length: 9 }, (_, index) => `reader-${index + 1}@example.org`),
  'ada@busy.test',
  'bob@busy.test',
  'nobody@refuse.test',
];

/** Each mail of a campaign has its own fate: a recipient that fails holds no other one up. */
export async function runCampaign(stage: Stage, tell: (line: string) => void): Promise<void> {
  const { jobs, log, mailbox, topology, signal } = stage;
  const { id: campaign } = await jobs.publish(sendCampaign, {
    campaign: 'News',
    template: { subject: 'News for {{ name }}', text: 'Dear {{ name }}, there is nothing new.' },
    recipients: ADDRESSES.map((to) => ({ to, data: { name: to.split('@')[0] } })),
  });
  tell(`email.campaign published, ${campaign}: a template and ${ADDRESSES.length} recipients`);
  const ended = await waitFor(
    'every mail arrives or is given up',
    () => allEnded(log.all(), ADDRESSES.length),
    signal,
  );
  const delivered = (attempt: number) =>
    ended.filter((fate) => fate.state === 'delivered' && fate.attempt === attempt).length;
  const dead = ended.filter(({ state }) => state === 'dead');
  tell(`${delivered(1)} mails delivered at the first attempt`);
  tell(`${delivered(2)} at the second: the mail server was busy at the first (451)`);
  for (const { id, reason, error } of dead) tell(`1 dead letter, ${id}: ${reason}, ${error}`);

  expectSame('mails in the mailbox', (await mailbox.arrived()).size, 11);
  expectSame('deliveries by attempt', [delivered(1), delivered(2)], [9, 2]);
  expectSame('dead letters', dead.length, 1);
  const queue = topology.names.deadQueue('email.send');
  const isThere = async () => (await stage.depth(queue)) === 1 || undefined;
  await waitFor(`one message in ${queue}`, isThere, signal);
}

function allEnded(fates: readonly Fate[], wanted: number): readonly Fate[] | undefined {
  const ended = fates.filter(({ state }) => state !== 'retried');
  return ended.length === wanted ? ended : undefined;
}
