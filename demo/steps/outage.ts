import type { Stage } from '../stage.ts';
import { count } from '../support/count.ts';
import { expectSame } from '../support/expect-same.ts';
import { publishMails } from '../support/publish-mails.ts';
import { waitFor } from '../support/wait-for.ts';

const RECIPIENTS = Array.from({ length: 8 }, (_, index) => `customer-${index + 1}@example.org`);

/** While the mail server is away the jobs wait at the broker; once it is back they are done, none is lost. */
export async function surviveOutage(stage: Stage, tell: (line: string) => void): Promise<void> {
  const { jobs, mailbox, topology, signal } = stage;
  const dead = topology.names.deadQueue('email.send');
  const deadBefore = await stage.depth(dead);
  await mailbox.fail('offline');
  tell('the mail server is offline');
  const ids = await publishMails(jobs, RECIPIENTS, 'Your order');
  tell(`${count(ids.length, 'mail')} published, each confirmed by the broker`);
  await waitFor(
    'every job waits in a retry queue',
    async () => (await retrying(stage)) === ids.length || undefined,
    signal,
  );
  tell(`every attempt fails; all ${ids.length} jobs wait in the queues retry.*`);
  await mailbox.fail('none');
  tell('the mail server is back');
  await waitFor(
    'every mail arrives',
    async () => {
      const arrived = await mailbox.arrived();
      return ids.every((id) => arrived.has(id)) || undefined;
    },
    signal,
  );
  tell(`${count(ids.length, 'mail')} delivered by their retries`);
  expectSame('new dead letters', (await stage.depth(dead)) - deadBefore, 0);
}

/** Jobs in all retry queues together. */
async function retrying({ topology, depth }: Stage): Promise<number> {
  const queues = topology.queues.filter(({ role }) => role === 'retry');
  let sum = 0;
  for (const { name } of queues) sum += await depth(name);
  return sum;
}
