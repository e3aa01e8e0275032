import { type Metrics, onCollect } from '@warren/telemetry';
import type { OutboxPort } from './outbox-port.ts';

type Pending = Awaited<ReturnType<OutboxPort['pending']>>;

const COUNT_EVERY_MS = 5_000;

/** Outboxes by the metrics that they report to: those of one process are shown together. */
const outboxes = new WeakMap<Metrics, Set<() => Pending>>();

/**
 * Counts the messages that wait in an outbox, again and again, and shows how many they are and for how long the oldest has
 * waited. What the last count told is shown until the next one.
 * @returns a function that ends it
 */
export function watchOutbox(options: {
  readonly outbox: Pick<OutboxPort, 'pending'>;
  readonly metrics: Metrics;
  onProblem?(error: unknown): void;
}): () => void {
  const { outbox, metrics, onProblem } = options;
  let pending: Pending = { count: 0 };
  let isCounting = false;
  const count = async () => {
    // A database that is slow is not asked once more meanwhile.
    if (isCounting) return;
    isCounting = true;
    try {
      pending = await outbox.pending();
    } catch (error) {
      onProblem?.(error);
    }
    isCounting = false;
  };
  const hide = show(metrics, () => pending);
  const timer = setInterval(() => void count(), COUNT_EVERY_MS).unref();
  void count();
  return () => {
    clearInterval(timer);
    hide();
  };
}

function show(metrics: Metrics, pending: () => Pending): () => void {
  const all = outboxes.get(metrics) ?? new Set();
  outboxes.set(metrics, all);
  all.add(pending);
  const measure = () => {
    const known = [...all].map((one) => one());
    const nowMs = Date.now();
    const ages = known.map(({ oldestAtMs = nowMs }) => Math.max(0, nowMs - oldestAtMs));
    metrics.jobs_outbox_pending.set(known.reduce((sum, { count }) => sum + count, 0));
    metrics.jobs_outbox_oldest_age_seconds.set(Math.max(0, ...ages) / 1_000);
  };
  const stopCollecting = onCollect(metrics, measure);
  return () => {
    stopCollecting();
    all.delete(pending);
    measure();
  };
}
