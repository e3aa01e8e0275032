import { type RunLedger, withAudit } from '../data-access/audit-trail.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { runPage, runTable } from '../text/ledger-text.ts';
import { choosePaint } from '../text/paint.ts';
import { visible, visibleJson } from '../text/visible.ts';

export interface LedgerOptions {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `warren dead ledger`. @throws StoreUnavailableError, CursorInvalidError */
export async function showLedger(
  admin: Admin,
  id: string | undefined,
  options: LedgerOptions,
): Promise<ExitCode> {
  return withAudit(admin, true, ({ runs }) =>
    id === undefined ? list(admin, runs, options) : show(admin, runs, id, options),
  );
}

async function list(
  { shell }: Admin,
  runs: RunLedger,
  { limit, cursor, json }: LedgerOptions,
): Promise<ExitCode> {
  const page = await runs.list({ limit, cursor });
  if (json) {
    shell.out(`${visibleJson({ runs: page.items, cursor: page.cursor ?? null }, 2)}\n`);
    return 0;
  }
  shell.out(runTable(page.items, choosePaint(shell.isTerminal, shell.env)));
  if (page.cursor !== undefined) shell.out(`\nMore with --cursor ${page.cursor}\n`);
  return 0;
}

async function show(
  { shell }: Admin,
  runs: RunLedger,
  id: string,
  { json }: LedgerOptions,
): Promise<ExitCode> {
  const record = await runs.find(id);
  if (!record) {
    shell.err(`warren: ${visible(id)} is not in the ledger\n`);
    return 1;
  }
  const paint = choosePaint(shell.isTerminal, shell.env);
  shell.out(json ? `${visibleJson(record, 2)}\n` : runPage(record, paint));
  return 0;
}
