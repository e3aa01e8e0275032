/** How the mailbox's mail server fails: not at all, for now (451), for good (550), or by refusing connections. */
export const FAILURE_MODES = ['none', 'temporary', 'permanent', 'offline'] as const;
export type FailureMode = (typeof FAILURE_MODES)[number];

export function isFailureMode(value: unknown): value is FailureMode {
  return FAILURE_MODES.some((mode) => mode === value);
}

/** The reply to RCPT TO, as smtp-server wants it: an error with its reply code, or nothing to accept. */
export function rejectionFor(mode: FailureMode): Error | null {
  if (mode === 'temporary') return reply(451, 'Try again later (the mailbox is set to fail)');
  if (mode === 'permanent') return reply(550, 'No such mailbox (the mailbox is set to fail)');
  return null;
}

function reply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
