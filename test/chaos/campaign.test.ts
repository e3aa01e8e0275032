import { sendCampaign, sendCampaignPart, sendEmail } from '@warren/catalog';
import { derivedJobId } from '@warren/contracts';
import { eventually, type Installation, install } from '@warren/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CampaignChild } from './support/campaign-child.ts';
import { MailCount } from './support/mail-count.ts';
import { Supervisor } from './support/supervisor.ts';

const RECIPIENTS = 25_000;
const PART_SIZE = 500;
/** In the midst of fanning the campaign out. A third time would be taken for its fault. */
const CAMPAIGN_KILLS = 2;
const PART_KILLS = 6;
/** Two by slots of the work queue, one by that of the suspects. */
const PARTS_IN_HAND = 3;
/**
 * So many parts each process does before it is killed: more than there are in hand, or a suspect could be the last of them
 * three times in a row, and would be taken for the cause.
 */
const PARTS_PER_LIFE = 4;

/** Ten starts of a process and 25,000 mails: half a minute, and several on a machine that is busy otherwise. */
const TIMEOUT_MS = 480_000;

const recipients = Array.from({ length: RECIPIENTS }, (_, index) => ({
  to: `reader${index}@example.org`,
  data: { name: `Reader ${index}` },
}));

let installation: Installation;
let supervisor: Supervisor<CampaignChild> | undefined;
beforeEach(async () => {
  installation = await install([sendEmail, sendCampaign, sendCampaignPart]);
});
afterEach(async () => {
  await supervisor?.stop('SIGKILL');
  await installation?.dispose();
});

it(
  'leaves nobody out and gives everybody one id, however often the process that fans it out is killed',
  async () => {
    const { url, namespace, topology, admin } = installation;
    const { names } = topology;
    const jobs = await installation.connect();
    const template = { subject: 'Hello {{ name }}', text: 'News for {{ name }}' };
    const { id } = await jobs.publish(sendCampaign, { campaign: 'chaos', template, recipients });
    const mails = new MailCount();
    await mails.take(admin, names.workQueue(sendEmail.type));
    supervisor = new Supervisor(() => new CampaignChild({ url, namespace }));

    await killDuringFanOut(supervisor);
    await supervisor.child.untilLogged('campaign handed to its parts');
    await killDuringParts(supervisor);
    expect(mails.addresses, 'killed while parts were left').toBeLessThan(RECIPIENTS);

    await mails.until('a mail for everybody', () => mails.addresses === RECIPIENTS, 120_000);
    await eventually('no part is left', async () => {
      const { workQueue, suspectQueue } = names;
      const queues = [workQueue, suspectQueue].map((nameOf) => nameOf(sendCampaignPart.type));
      const depths = await Promise.all(queues.map((queue) => admin.depth(queue)));
      return depths.every((depth) => depth === 0);
    });
    await supervisor.stop('SIGTERM');

    const wrong = recipients.filter(({ to }) => {
      const ids = mails.idsOf(to);
      return ids.length !== 1 || ids[0] !== derivedJobId(sendEmail.type, `${id}\n${to}`);
    });
    expect(wrong).toEqual([]);
    expect(mails.addresses).toBe(RECIPIENTS);
    const kills = CAMPAIGN_KILLS + PART_KILLS;
    expect(
      mails.taken,
      'a kill repeats what was in hand: parts, or the campaign as far as it had come',
    ).toBeLessThanOrEqual(RECIPIENTS * (1 + CAMPAIGN_KILLS) + kills * PARTS_IN_HAND * PART_SIZE);
    for (const { type } of [sendEmail, sendCampaign, sendCampaignPart]) {
      expect(await admin.depth(names.deadQueue(type)), `dead ${type}`).toBe(0);
    }
    expect(await admin.depth(names.unroutable)).toBe(0);
  },
  TIMEOUT_MS,
);

async function killDuringFanOut(processes: Supervisor<CampaignChild>): Promise<void> {
  for (let kill = 0; kill < CAMPAIGN_KILLS; kill += 1) {
    const { child } = processes;
    await child.untilLogged('campaign checked');
    // The first parts are published while the last ones are not.
    await child.untilLogged('campaign part published');
    expect(child.logged('campaign handed to its parts'), 'killed half-way').toBe(0);
    expect((await child.end('SIGKILL')).signal).toBe('SIGKILL');
  }
}

async function killDuringParts(processes: Supervisor<CampaignChild>): Promise<void> {
  for (let kill = 0; kill < PART_KILLS; kill += 1) {
    const { child } = processes;
    // From here: the ack of the campaign, which the same process may have just logged, is sent before so many parts are done.
    const done = child.logged('campaign part published');
    await child.untilLogged('campaign part published', done + PARTS_PER_LIFE);
    expect((await child.end('SIGKILL')).signal).toBe('SIGKILL');
  }
}
