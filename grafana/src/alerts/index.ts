import type { Alert, AlertGroup } from './alert.ts';
import { BROKER } from './broker.ts';
import { FAILURES } from './failures.ts';
import { HISTORY } from './history.ts';
import { PROCESSES } from './processes.ts';
import { PUBLISHING } from './publishing.ts';
import { QUEUES } from './queues.ts';

/** All alerts. Rules, tests and the runbook are held against this list. */
export const ALERT_GROUPS: readonly AlertGroup[] = [
  QUEUES,
  FAILURES,
  PUBLISHING,
  HISTORY,
  PROCESSES,
  BROKER,
];

export const ALERTS: readonly Alert[] = ALERT_GROUPS.flatMap(({ alerts }) => alerts);
