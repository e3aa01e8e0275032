import { NODE_FLAGS } from '../as-services-run.ts';
import { BareInstallation } from '../bare.ts';
import type { Contestant, Figures, Scenario } from '../compare.ts';
import { buryLetters } from '../dead/letters.ts';
import type { ReplayAnswer, ReplayOrder } from '../dead/replay-side.ts';
import { runProgram } from '../dead/run-program.ts';
import { benchJob } from '../job.ts';
import { payloadOf } from '../payload.ts';
import { ratioAtLeast, subjectAtMost } from '../target.ts';
import type { Scope } from './scope.ts';

const NAMESPACE = 'benchreplay';
const LETTERS = 100_000;
/** All of them in memory would be twice as much as a third of them, and more. */
const FLAT = 1.25;

/**
 * Dead letters of about 1 kB, put back into the queue that they failed in: by the kit, and by a loop that consumes, publishes
 * and acks. Each in a process of its own, whose memory must not grow with their number.
 */
export function replay(url: string, { scale }: Scope): Scenario[] {
  const count = Math.ceil(LETTERS * scale);
  const side = (name: string, of: ReplayOrder['side']): Contestant => ({
    name,
    run: () => putBack({ side: of, url, namespace: NAMESPACE, count }),
  });
  const [kit, hand] = ['warren, replay', 'amqplib, consume-publish-ack'];
  const command = 'warren dead replay, with ledger and history';
  return [
    {
      name: `replay of ${count.toLocaleString('en')} dead letters`,
      figures: {
        rate: { unit: 'letters/s' },
        growth: { unit: 'MB', label: 'growth of memory' },
        flat: { unit: 'times', label: 'memory, later over early' },
      },
      contestants: [side(kit, 'replay'), side(command, 'command'), side(hand, 'by hand')],
      pairs: [
        {
          subject: kit,
          against: hand,
          targets: { rate: ratioAtLeast(0.5), flat: subjectAtMost(FLAT) },
        },
        { subject: command, against: hand },
      ],
      maxRounds: 2,
    },
  ];
}

async function putBack(order: ReplayOrder): Promise<Figures> {
  const { url, namespace, count } = order;
  const bare = new BareInstallation(url, namespace);
  const { names } = bare.topology;
  try {
    await bare.declare();
    const connection = await bare.connect();
    const body = Buffer.from(JSON.stringify(payloadOf(1_000)));
    await buryLetters(connection, names, count, () => body);
    const answer = await runProgram<ReplayAnswer>('bench/dead/replay-side.ts', order, NODE_FLAGS);
    const channel = await connection.createChannel();
    const { messageCount } = await channel.checkQueue(names.workQueue(benchJob.type));
    await connection.close();
    if (messageCount !== count) throw new Error(`${messageCount} of ${count} came back`);
    const { seconds, growthMb, lateOverEarly } = answer;
    return { rate: count / seconds, growth: growthMb, flat: lateOverEarly };
  } finally {
    await bare.dispose();
  }
}
