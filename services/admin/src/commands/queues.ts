import { lookAtQueues } from '../data-access/queue-look.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { withSession } from '../open-session.ts';
import { choosePaint } from '../text/paint.ts';
import { queueTable } from '../text/queue-table.ts';
import { visibleJson } from '../text/visible.ts';

/** `warren queues`: where the jobs of each queue are. */
export async function showQueues(
  admin: Admin,
  { json = false }: { readonly json?: boolean | undefined },
): Promise<ExitCode> {
  const { shell } = admin;
  const look = await withSession(admin, (session) => lookAtQueues(admin, session));
  if (look.problem !== undefined)
    shell.err(`warren: running, leased and retrying are not known: ${look.problem}\n`);
  const paint = choosePaint(shell.isTerminal, shell.env);
  shell.out(json ? `${visibleJson(look, 2)}\n` : queueTable(look, paint));
  return 0;
}
