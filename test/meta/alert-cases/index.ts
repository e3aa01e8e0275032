import type { AlertCases } from './alert-case.ts';
import { BROKER_CASES } from './broker.ts';
import { FAILURE_CASES } from './failures.ts';
import { HISTORY_CASES } from './history.ts';
import { PROCESS_CASES } from './processes.ts';
import { PUBLISHING_CASES } from './publishing.ts';
import { QUEUE_CASES } from './queues.ts';

export type { AlertCase } from './alert-case.ts';

/** For every alert: when it fires, and when it does not. */
export const ALERT_CASES: AlertCases = {
  ...QUEUE_CASES,
  ...FAILURE_CASES,
  ...PUBLISHING_CASES,
  ...HISTORY_CASES,
  ...PROCESS_CASES,
  ...BROKER_CASES,
};
