import type { BrokerSession, MigrationReport, MigrationStep } from '@warren/broker';
import { type QueueMigration, queueMigration } from '@warren/topology';
import { withAudit } from '../data-access/audit-trail.ts';
import { whoAmI } from '../domain/who.ts';
import type { ExitCode } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import { type ResultOptions, showResult } from './show-result.ts';

export interface MigrateCommandOptions extends ResultOptions {
  readonly dryRun?: boolean | undefined;
  readonly reason?: string | undefined;
  /** Seconds. */
  readonly wait?: number | undefined;
}

/** Fields of the result, with what they are where they say nothing. */
const NOTHING = {
  dryRun: false,
  steps: [],
  ready: null,
  held: null,
  consumers: null,
  moved: null,
  returned: null,
  deleted: null,
  isInterrupted: false,
};

/** Between two words about how far it is. */
const TELL_EVERY_MS = 2_000;

/** `warren topology migrate`. @throws QueueInUseError; LockHeldError; MessagesLeftError; ConfigInvalidError naming `queue` */
export async function migrateTopology(
  admin: Admin,
  name: string,
  options: MigrateCommandOptions,
): Promise<ExitCode> {
  const { dryRun, reason, wait = 0 } = options;
  const migration = queueMigration(admin.topology, name);
  if (dryRun) return withSession(admin, (session) => plan(admin, session, migration, options));
  return withAudit(admin, false, async (audit) => {
    const details = { queue: migration.queue.name, reason };
    await audit.write('topology.migrate', details);
    const report = await withSession(admin, (session) =>
      session.migrate(migration, whoAmI(), {
        signal: admin.shell.signal,
        waitMs: wait * 1_000,
        onConsumers: (consumers) =>
          admin.shell.err(
            `waiting for the end of who consumes ${migration.queue.name}: ${consumers}\n`,
          ),
        onStep: (step) => admin.shell.err(`${WORDS[step](migration)}\n`),
        onMoved: teller(admin),
      }),
    );
    await audit.write('topology.migrate.ended', { ...details, report });
    return tell(admin, migration, report, options);
  });
}

const WORDS: Readonly<Record<MigrationStep, (migration: QueueMigration) => string>> = {
  redirect: ({ queue, holding }) => `new messages for ${queue.name} go to ${holding.name}`,
  empty: ({ queue, holding }) => `moving what is in ${queue.name} to ${holding.name}`,
  replace: ({ queue }) => `declaring ${queue.name} anew`,
  fill: ({ queue, holding }) => `moving all from ${holding.name} back to ${queue.name}`,
  clear: ({ holding }) => `deleting ${holding.name}`,
};

async function plan(
  { shell }: Admin,
  session: BrokerSession,
  migration: QueueMigration,
  options: ResultOptions,
): Promise<ExitCode> {
  const { queue, holding } = migration;
  const found = await session.migrationState(migration);
  const what = { ...NOTHING, queue: queue.name, dryRun: true, found };
  if (found === 'current' || found === 'missing') {
    showResult(shell, options, what, nothing(found, queue.name));
    return 0;
  }
  const figures = await session.figures([queue.name, holding.name]);
  const { ready = 0, consumers = 0 } = figures.get(queue.name) ?? {};
  const held = figures.get(holding.name)?.ready ?? 0;
  const steps: readonly MigrationStep[] =
    found === 'differs' ? ['redirect', 'empty', 'replace', 'fill', 'clear'] : ['fill', 'clear'];
  const first = migration.through
    ? 'Wait until nobody looks at it or replays it.'
    : 'Stop its workers first.';
  const isPossible = found === 'replaced' || consumers === 0;
  const lines = [
    `${queue.name} has ${ready} messages ready, ${holding.name} ${held}.`,
    ...steps.map((step, index) => `${index + 1}. ${WORDS[step](migration)}`),
    ...(isPossible ? [] : [`Not now: ${queue.name} has ${consumers} consumers. ${first}`]),
  ];
  showResult(shell, options, { ...what, steps, ready, held, consumers }, lines.join('\n'));
  return isPossible ? 0 : 1;
}

function tell(
  { shell }: Admin,
  { queue }: QueueMigration,
  report: MigrationReport,
  options: ResultOptions,
): ExitCode {
  const { found, isInterrupted, held, returned, deleted } = report;
  const what = { ...NOTHING, queue: queue.name, found, moved: held, returned, deleted };
  if (found === 'current' || found === 'missing') {
    showResult(shell, options, what, nothing(found, queue.name));
    return 0;
  }
  if (isInterrupted) {
    if (options.json) showResult(shell, options, { ...what, isInterrupted }, '');
    shell.err('Interrupted. Nothing is lost: the same command goes on where it ended.\n');
    return 1;
  }
  const sentence = `${queue.name} is migrated: ${held} messages moved out, ${returned} back in.`;
  showResult(shell, options, what, sentence);
  if (deleted === 0) return 0;
  shell.err(
    `${deleted} messages that somebody published straight to ${queue.name} came in as it was deleted, and are lost.\n`,
  );
  return 1;
}

function nothing(found: 'current' | 'missing', queue: string): string {
  return found === 'current'
    ? `${queue} is as declared: nothing to migrate.`
    : `${queue} does not exist: \`warren topology apply\` declares it.`;
}

function teller({ shell }: Admin): (step: MigrationStep, count: number) => void {
  let toldAtMs = performance.now();
  return (_step, count) => {
    if (performance.now() - toldAtMs < TELL_EVERY_MS) return;
    toldAtMs = performance.now();
    shell.err(`${count} moved\n`);
  };
}
