import { JobTimeoutError } from '@warren/contracts';
import { SmtpError } from './smtp-failure.ts';

/** Kinds of failure in which the server was not reached, did not answer, or let nobody in. */
const OUTAGE_CODES = [
  'ECONNECTION',
  'ECONNREFUSED',
  'ECONNRESET',
  'EDNS',
  'ESOCKET',
  'ETIMEDOUT',
  'ETLS',
  'EAUTH',
  'ENOAUTH',
  'EOAUTH2',
];

/** Whether a failed mail speaks of the mail server as a whole. What it says about one recipient does not. */
export function isSmtpOutage(error: unknown): boolean {
  if (error instanceof SmtpError) return OUTAGE_CODES.includes(error.code);
  return error instanceof JobTimeoutError;
}
