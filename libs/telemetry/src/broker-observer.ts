import { initialiseConnectionMetrics } from './initial-series.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** How long the same problem may repeat before it is logged again; each time twice as long as the last. */
const REMIND_AFTER_MS = 30_000;
const REMIND_AT_LEAST_EVERY_MS = 300_000;
/** Of so many problems of one subject it is known when they were told. */
const MAX_PROBLEMS = 20;

type IsNews = (subject: string, problem: string) => boolean;

/** What was told of the broker in each process, known by its metrics: all connections of one have the same problem. */
const toldIn = new WeakMap<Metrics, IsNews>();

function newsOf(metrics: Metrics): IsNews {
  const known = toldIn.get(metrics) ?? rememberNews();
  toldIn.set(metrics, known);
  return known;
}

/**
 * What happens to a process's connections, as log lines and metrics. A broker that stays away is logged once by a process,
 * however many connections it has, when there is another reason, and again after pauses that grow from 30 s to 5 minutes.
 */
export function observeConnections(logger: Logger, metrics: Metrics) {
  const seen = new Set<string>();
  const blockedAtMs = new Map<string, number>();
  const isNews = rememberNews();
  const isNewsHere = newsOf(metrics);

  return {
    /** Not before: one that a process never opens would look as if it were lost. */
    onOpening(connection: string) {
      initialiseConnectionMetrics(metrics, connection);
    },
    onUp(connection: string, version: string) {
      metrics.jobs_broker_connected.set({ connection }, 1);
      if (seen.has(connection)) metrics.jobs_broker_reconnects_total.inc({ connection });
      seen.add(connection);
      isNewsHere('connect', '');
      logger.info({ connection, version }, 'connected to the broker');
    },
    onDown(connection: string, reason: string) {
      metrics.jobs_broker_connected.set({ connection }, 0);
      logger.warn({ connection, reason }, 'lost the connection to the broker; reconnecting');
    },
    onConnectFailed(connection: string, reason: string) {
      if (isNewsHere('connect', reason)) {
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

/**
 * Is this a problem that the subject did not have just now, or is it time to say it again: after 30 s, then less and less
 * often? The empty problem is that there is none any more, and what comes then is news.
 */
export function rememberNews(): IsNews {
  const told = new Map<string, Map<string, { atMs: number; pauseMs: number }>>();
  return (subject, problem) => {
    if (problem === '') return told.delete(subject);
    const problems = told.get(subject) ?? new Map<string, { atMs: number; pauseMs: number }>();
    told.set(subject, problems);
    const before = problems.get(problem);
    const nowMs = Date.now();
    if (before && nowMs - before.atMs < before.pauseMs) return false;
    if (!before && problems.size >= MAX_PROBLEMS) problems.clear();
    const pauseMs = before
      ? Math.min(before.pauseMs * 2, REMIND_AT_LEAST_EVERY_MS)
      : REMIND_AFTER_MS;
    problems.set(problem, { atMs: nowMs, pauseMs });
    return true;
  };
}
