import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Labels = Readonly<Record<string, string>>;

/** One alert as Alertmanager told it. */
export interface Notice {
  /** The receiver that its configuration chose. */
  readonly receiver: string;
  readonly status: 'firing' | 'resolved';
  readonly labels: Labels;
  readonly annotations: Labels;
}

/** Which notices are meant: these labels among others, and this status. */
export interface Wanted {
  readonly labels: Labels;
  readonly status?: Notice['status'];
}

/** Whom Alertmanager tells: a server of the test that keeps what it hears. */
export interface AlertWebhook {
  urlOf(receiver: string): string;
  /** Lets go of what it has heard. */
  forget(): void;
  /** Resolves with the first that is meant, also one heard before. @throws what it has heard instead, after `withinMs` */
  untilHeard(wanted: Wanted, withinMs: number): Promise<Notice>;
  stop(): Promise<void>;
}

/** What Alertmanager posts, as far as it is read. */
interface Post {
  readonly receiver: string;
  readonly alerts: readonly Omit<Notice, 'receiver'>[];
}

/** Starts one on a free port of 127.0.0.1. */
export async function startAlertWebhook(): Promise<AlertWebhook> {
  const notices: Notice[] = [];
  const news = new EventEmitter();
  news.setMaxListeners(0);
  const take = async (request: IncomingMessage) => {
    const { receiver, alerts } = (await json(request)) as Post;
    for (const { status, labels, annotations } of alerts) {
      notices.push({ receiver, status, labels, annotations });
    }
    news.emit('notice');
  };
  const server = createServer((request, response) => {
    take(request).then(
      () => response.end(),
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (receiver) => `http://127.0.0.1:${port}/${receiver}`,
    forget: () => void notices.splice(0),
    async untilHeard(wanted, withinMs) {
      const signal = AbortSignal.timeout(withinMs);
      for (;;) {
        const first = notices.find((notice) => isMeant(notice, wanted));
        if (first) return first;
        await once(news, 'notice', { signal }).catch(() => {
          throw new Error(
            `not heard within ${withinMs} ms: ${show(wanted)}; but\n${summaries(notices)}`,
          );
        });
      }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const isMeant = (notice: Notice, { labels, status = 'firing' }: Wanted): boolean =>
  notice.status === status &&
  Object.entries(labels).every(([name, value]) => notice.labels[name] === value);

const show = ({ labels, status = 'firing' }: Wanted) => `${status} ${JSON.stringify(labels)}`;

const summaries = (notices: readonly Notice[]): string =>
  [...new Set(notices.map(inShort))].join('\n');

const inShort = ({ status, labels, annotations }: Notice) =>
  `${status} ${labels['alertname']}: ${annotations['summary']}`;
