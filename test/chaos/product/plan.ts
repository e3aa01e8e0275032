import { newJobId } from '@warren/contracts';
import { charge, MAX_ATTEMPTS, mail, type Script } from '../fixtures/product-jobs.ts';

/** A job to be posted, and what is to become of it. */
export interface PlannedJob {
  readonly id: string;
  readonly isOnce: boolean;
  readonly script: Script;
  /** The body of its POST. */
  readonly body: string;
  readonly end: 'succeeded' | 'dead';
}

const ONCE_SHARE = 0.2;
const MAX_WORK_MS = 60;

/** The next job: most succeed, some after failures, some die. */
export function planJob(random: () => number): PlannedJob {
  const id = newJobId();
  const isOnce = random() < ONCE_SHARE;
  const script = { ...fate(random()), workMs: Math.round(random() * MAX_WORK_MS) };
  const text = JSON.stringify(script);
  const type = isOnce ? charge.type : mail.type;
  const payload = isOnce
    ? { orderId: text, amount: 100, currency: 'EUR', customer: 'cus_1' }
    : { to: 'reader@example.org', subject: text, text: 'Hello' };
  return {
    id,
    isOnce,
    script,
    body: JSON.stringify({ type, id, payload }),
    end: script.isFatal || script.fails >= MAX_ATTEMPTS ? 'dead' : 'succeeded',
  };
}

function fate(drawn: number): Pick<Script, 'fails' | 'isFatal'> {
  if (drawn < 0.7) return { fails: 0, isFatal: false };
  if (drawn < 0.88) return { fails: drawn < 0.8 ? 1 : 2, isFatal: false };
  return drawn < 0.94 ? { fails: MAX_ATTEMPTS, isFatal: false } : { fails: 1, isFatal: true };
}
