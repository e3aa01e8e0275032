import { setTimeout as pause } from 'node:timers/promises';
import { AmqpAdmin } from '@warren/testing';
import { ask, askOneByOne, burst, hooksAtOnce, jobsOfSecond, replayMails } from './load.ts';
import type { Stage } from './stage.ts';

/** Something that happens while jobs come in, after so much of the run. */
interface Scene {
  readonly after: number;
  readonly title: string;
  readonly play: (stage: Stage) => Promise<unknown>;
}

/** Long enough for slow deliveries to have begun. */
const IN_HAND_MS = 1_500;

/** Each scene shows in some panel; the last leaves something wrong to be seen at the end. */
const SCENES: readonly Scene[] = [
  {
    after: 0.15,
    title: 'the mail server goes away',
    play: (stage) => mailServer(stage, 'offline'),
  },
  { after: 0.35, title: 'it is back', play: (stage) => mailServer(stage, 'none') },
  {
    after: 0.45,
    title: '4,000 mails at once',
    play: ({ gatewayUrl }) => ask(gatewayUrl, burst(4_000)),
  },
  {
    after: 0.3,
    title: '300 deliveries to one host at once',
    play: (stage) => ask(stage.gatewayUrl, hooksAtOnce(stage, 300)),
  },
  { after: 0.5, title: 'a stranger sends mails without a text', play: sendWrongMails },
  { after: 0.6, title: 'the webhook service dies, and again', play: killWebhookTwice },
  { after: 0.68, title: 'connections are closed', play: closeConnections },
  {
    after: 0.55,
    title: 'the payment provider fails',
    play: ({ outside }) => payments(outside, true),
  },
  { after: 0.75, title: 'the broker stands still', play: ({ node }) => node.pause() },
  { after: 0.78, title: 'it goes on', play: async ({ node }) => node.resume() },
  {
    after: 0.7,
    title: 'payments are taken again',
    play: ({ outside }) => payments(outside, false),
  },
  {
    after: 0.83,
    title: 'dead letters of mails are replayed',
    play: ({ gatewayUrl }) => replayMails(gatewayUrl),
  },
  { after: 0.85, title: 'the documents service dies', play: ({ parts }) => parts.documents.kill() },
];

/** Lets a shop work for so long, and things go wrong meanwhile. Rejects with the signal's reason once that is aborted. */
export async function playStory(
  stage: Stage,
  seconds: number,
  stopped: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  const startedMs = performance.now();
  const playing: Promise<unknown>[] = [];
  for (let second = 0; second < seconds; second += 1) {
    for (const { title, play } of SCENES.filter(
      ({ after }) => Math.floor(after * seconds) === second,
    )) {
      print(`  ${second} s: ${title}`);
      const failed = (error: unknown) => print(`  ${title}: ${String(error)}`);
      playing.push(play(stage).catch(failed));
    }
    playing.push(ask(stage.gatewayUrl, jobsOfSecond(second, stage)));
    playing.push(askOneByOne(stage.gatewayUrl, second));
    const nextMs = startedMs + (second + 1) * 1_000;
    const untilThen = Math.max(0, nextMs - performance.now());
    await pause(untilThen, undefined, { signal: stopped }).catch(() => stopped.throwIfAborted());
  }
  await Promise.all(playing);
}

async function mailServer({ mailboxUrl }: Stage, mode: 'none' | 'offline'): Promise<void> {
  await fetch(`${mailboxUrl}/failure`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode }),
  });
}

async function payments(outside: Stage['outside'], fail: boolean): Promise<void> {
  outside.paymentsFail = fail;
}

function closeConnections({ node }: Stage): Promise<void> {
  return node.closeAllConnections('closed for the preview');
}

/** What is in hand each time becomes suspect. */
async function killWebhookTwice({ parts: { webhook } }: Stage): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    await webhook.kill();
    webhook.start();
    await webhook.whenReady();
    await pause(IN_HAND_MS);
  }
}

async function sendWrongMails({ node }: Stage): Promise<void> {
  const admin = await AmqpAdmin.connect(node.url);
  const wrong = JSON.stringify({ to: 'ada@example.org', subject: 'Hello', body: 'no text' });
  for (const messageId of ['stranger-1', 'stranger-2', 'stranger-3']) {
    await admin.publish('jobs', 'email.send', wrong, { messageId, persistent: true });
  }
  await admin.close();
}
