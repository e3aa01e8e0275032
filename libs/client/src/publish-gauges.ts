import { type Metrics, onCollect } from '@warren/telemetry';

/** What is shown of a publisher. */
interface Gauged {
  readonly unconfirmed: number;
  readonly buffered: number;
}

interface Client {
  readonly publisher: Gauged;
  readonly exchange: string;
}

/** Every open client by the metrics that it reports to. */
const open = new WeakMap<Metrics, Set<Client>>();

/**
 * Shows what a publisher holds at each scrape. Clients that share one process's metrics are shown as their sum, not as
 * whichever is read last.
 * @returns a function that takes this one out
 */
export function showPublisher(metrics: Metrics, exchange: string, publisher: Gauged): () => void {
  const all = open.get(metrics) ?? new Set<Client>();
  open.set(metrics, all);
  const one = { publisher, exchange };
  all.add(one);
  const measure = () => {
    const clients = [...all];
    const ofExchange = clients.filter((client) => client.exchange === exchange);
    metrics.jobs_publish_unconfirmed.set({ exchange }, sum(ofExchange, 'unconfirmed'));
    metrics.jobs_publish_buffered.set(sum(clients, 'buffered'));
  };
  const stopCollecting = onCollect(metrics, measure);
  return () => {
    stopCollecting();
    all.delete(one);
    measure();
  };
}

function sum(clients: readonly Client[], figure: keyof Gauged): number {
  return clients.reduce((total, { publisher }) => total + publisher[figure], 0);
}
