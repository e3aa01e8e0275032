import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { notedGateway, storeLocation } from '@warren/runtime';
import { folderHolder } from '@warren/store';
import { heldBack } from '../data-access/held-back.ts';
import { lookAtQueues } from '../data-access/queue-look.ts';
import { checkQueues, type HealthCheck, waitingIn } from '../domain/health.ts';
import { type ExitCode, exitCodeOf } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import { withStore } from '../open-store.ts';
import { choosePaint, type Paint } from '../text/paint.ts';
import { visible, visibleJson } from '../text/visible.ts';

export interface HealthOptions {
  readonly maxDead: number;
  readonly maxReady: number;
  readonly json?: boolean | undefined;
}

/** `warren health`: one screen for people, an exit code for scripts. */
export async function showHealth(admin: Admin, options: HealthOptions): Promise<ExitCode> {
  const { shell } = admin;
  const { checks, code } = await lookAround(admin, options);
  const problems = checks.filter(({ problem }) => problem !== undefined);
  const exitCode: ExitCode = code ?? (problems.length > 0 ? 1 : 0);
  const healthy = exitCode === 0;
  const paint = choosePaint(shell.isTerminal, shell.env);
  shell.out(
    options.json
      ? `${visibleJson({ healthy, checks }, 2)}\n`
      : `${checks.map((check) => line(check, paint)).join('\n')}\n`,
  );
  return exitCode;
}

async function lookAround(
  admin: Admin,
  bounds: HealthOptions,
): Promise<{ readonly checks: HealthCheck[]; readonly code?: ExitCode }> {
  const store = await checkStore(admin);
  try {
    const checks = await withSession(admin, async (session) => {
      const differences = await session.compare(admin.topology);
      const { queues, unroutable } = await lookAtQueues(admin, session);
      const blocked = session.blockedReason;
      const held = queues.some((line) => waitingIn(line) > 0) ? await heldBack(admin) : undefined;
      return [
        {
          name: 'broker',
          problem: blocked && `it takes no messages: ${blocked}`,
          detail: 'answers',
        },
        {
          name: 'topology',
          problem:
            differences.length > 0
              ? `${differences.length} differences; see warren topology diff`
              : undefined,
        },
        ...checkQueues(queues, unroutable, bounds, held),
      ];
    });
    return { checks: [...checks, store] };
  } catch (error) {
    const problem = (error as Error).message;
    return { checks: [{ name: 'broker', problem }, store], code: exitCodeOf(error) };
  }
}

async function checkStore(admin: Admin): Promise<HealthCheck> {
  const name = 'store';
  if (admin.config.DATABASE_URL === undefined) return { name, detail: await embeddedText(admin) };
  try {
    await withStore(admin, (store) => store.ping());
    return { name, detail: 'answers' };
  } catch (error) {
    return { name, problem: (error as Error).message };
  }
}

/** An embedded store is not opened to be looked at: its folder tells enough. */
async function embeddedText({ config }: Admin): Promise<string> {
  const { dataDir: folder } = storeLocation(config);
  if (!existsSync(folder)) return `none: no DATABASE_URL, and nothing in ${folder}`;
  const holder = await folderHolder(resolve(folder));
  if (holder === undefined) return `embedded, in ${folder}; no process has it open`;
  const url = await notedGateway(config.WARREN_DATA_DIR);
  const where = url === undefined ? '' : `, whose gateway is at ${url}`;
  return `embedded, in ${folder}, in use by the process with id ${holder}${where}`;
}

function line({ name, problem, detail }: HealthCheck, paint: Paint): string {
  const mark = problem === undefined ? paint('green', 'ok     ') : paint('red', 'problem');
  return `${mark} ${name.padEnd(12)} ${visible(problem ?? detail ?? '')}`.trimEnd();
}
