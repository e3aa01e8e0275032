import { initialiseConnectionMetrics } from './initial-series.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** How long the same problem may repeat before it is logged again. */
const REMIND_AFTER_MS = 30_000;

/**
 * What happens to a process's connections, as log lines and metrics. A broker that stays away is logged when it goes,
 * when the reason changes, and every 30 s.
 */
export function observeConnections(logger: Logger, metrics: Metrics) {
  const seen = new Set<string>();
  const blockedAtMs = new Map<string, number>();
  const isNews = rememberNews();

  return {
    /** Not before: one that a process never opens would look as if it were lost. */
    onOpening(connection: string) {
      initialiseConnectionMetrics(metrics, connection);
    },
    onUp(connection: string, version: string) {
      metrics.jobs_broker_connected.set({ connection }, 1);
      if (seen.has(connection)) metrics.jobs_broker_reconnects_total.inc({ connection });
      seen.add(connection);
      isNews(connection, '');
      logger.info({ connection, version }, 'connected to the broker');
    },
    onDown(connection: string, reason: string) {
      metrics.jobs_broker_connected.set({ connection }, 0);
      logger.warn({ connection, reason }, 'lost the connection to the broker; reconnecting');
    },
    onConnectFailed(connection: string, reason: string) {
      if (isNews(connection, reason)) {
        logger.error({ connection, reason }, 'cannot connect to the broker; trying again');
      }
    },
    onBlocked(connection: string, reason: string) {
      blockedAtMs.set(connection, Date.now());
      metrics.jobs_connection_blocked.set({ connection }, 1);
      logger.error({ connection, reason }, 'the broker accepts no messages');
    },
    onUnblocked(connection: string) {
      const sinceMs = blockedAtMs.get(connection) ?? Date.now();
      metrics.jobs_connection_blocked.set({ connection }, 0);
      metrics.jobs_connection_blocked_seconds_total.inc(
        { connection },
        (Date.now() - sinceMs) / 1_000,
      );
      logger.info({ connection }, 'the broker accepts messages again');
    },
    onDeclareFailed(problem: string) {
      if (isNews('topology', problem)) {
        logger.error({ problem }, 'the topology could not be declared; trying again');
      }
    },
    onDeclared() {
      isNews('topology', '');
    },
  };
}

/** Is this another problem than the last one of the same subject, or is it time to say it again? */
export function rememberNews(): (subject: string, problem: string) => boolean {
  const last = new Map<string, { problem: string; atMs: number }>();
  return (subject, problem) => {
    const before = last.get(subject);
    const nowMs = Date.now();
    if (before?.problem === problem && nowMs - before.atMs < REMIND_AFTER_MS) return false;
    last.set(subject, { problem, atMs: nowMs });
    return true;
  };
}
