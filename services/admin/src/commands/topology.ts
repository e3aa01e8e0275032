import type { BrokerSession, TopologyDifference } from '@warren/broker';
import { TopologyMismatchError } from '@warren/contracts';
import { brokerConnection } from '@warren/runtime';
import { createManagement } from '../data-access/management.ts';
import { managementAccess } from '../data-access/management-access.ts';
import { queuesAtBroker } from '../data-access/queues-at-broker.ts';
import { type BindingDifference, compareBindings } from '../domain/compare-bindings.ts';
import { findUndeclared, type UndeclaredQueue } from '../domain/find-undeclared.ts';
import type { ExitCode } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import { choosePaint, type Paint } from '../text/paint.ts';
import { visible } from '../text/visible.ts';
import { type ResultOptions, showResult } from './show-result.ts';

/** `warren topology apply`. @throws TopologyMismatchError when something exists with other arguments */
export async function applyTopology(admin: Admin, options: ResultOptions): Promise<ExitCode> {
  const { topology, shell } = admin;
  return withSession(admin, async (session): Promise<ExitCode> => {
    const missing = await missingAt(session, admin);
    const lineOfNew = ({ what, name }: TopologyDifference) => `created ${what} ${name}`;
    try {
      await session.declare(topology);
    } catch (error) {
      if (!(error instanceof TopologyMismatchError)) throw error;
      // What could be declared is, and nothing else would tell.
      const still = new Set((await missingAt(session, admin)).map(({ name }) => name));
      const made = missing.filter(({ name }) => !still.has(name));
      for (const one of made) shell.err(`${lineOfNew(one)}\n`);
      throw error;
    }
    const { exchanges, queues, bindings } = topology;
    const created = missing.map(({ what, name }) => ({ what, name }));
    const [some, all, ways] = [exchanges.length, queues.length, bindings.length];
    const lines = missing.map(lineOfNew);
    lines.push(
      `The topology is declared: ${some} exchanges, ${all} queues, ${ways} bindings; ${missing.length} exchanges and queues are new.`,
    );
    showResult(
      shell,
      options,
      { exchanges: some, queues: all, bindings: ways, created },
      lines.join('\n'),
    );
    return 0;
  });
}

async function missingAt(session: BrokerSession, { topology }: Admin) {
  return (await session.compare(topology)).filter(({ kind }) => kind === 'missing');
}

/** `warren topology diff`: changes nothing. */
export async function diffTopology(admin: Admin, options: ResultOptions): Promise<ExitCode> {
  const { shell, topology } = admin;
  const paint = choosePaint(shell.isTerminal, shell.env);
  const differences = await withSession(admin, (session) => session.compare(topology));
  const beyond = await beyondAmqp(admin);
  const lines = [
    ...differences.map((difference) => lineOf(difference, paint)),
    ...(beyond.bindings ?? []).map((difference) => bindingLine(difference, paint)),
    ...(beyond.undeclared ?? []).map((queue) => undeclaredLine(queue, paint)),
  ];
  const text = [...lines, summary(lines.length, beyond)].join('\n');
  showResult(shell, options, { differences, ...beyond }, text);
  return lines.length > 0 ? 1 : 0;
}

/** What only the management API tells; null where it was not asked, or did not tell. */
interface BeyondAmqp {
  readonly bindings: readonly BindingDifference[] | null;
  readonly undeclared: readonly UndeclaredQueue[] | null;
}

async function beyondAmqp({ shell, topology, config }: Admin): Promise<BeyondAmqp> {
  const url = config.WARREN_MANAGEMENT_URL;
  if (url === undefined) {
    shell.err(
      'Bindings were not compared, nor queues looked for that no job type declares any more: AMQP cannot show them. Set WARREN_MANAGEMENT_URL.\n',
    );
    return { bindings: null, undeclared: null };
  }
  const connection = brokerConnection(config);
  const management = createManagement(url, connection);
  const bindings = await compareBindings(topology, management);
  const seen = await queuesAtBroker(managementAccess(url, connection));
  if ('unseen' in seen) {
    shell.err(`Queues that no job type declares any more were not looked for: ${seen.unseen}.\n`);
    return { bindings, undeclared: null };
  }
  return { bindings, undeclared: await findUndeclared(topology, management, seen.value) };
}

function summary(count: number, { bindings, undeclared }: BeyondAmqp): string {
  const where = bindings && undeclared ? '' : ' in what could be seen';
  if (count === 0) return `No difference${where}.`;
  const advice = undeclared?.length
    ? '\nNo job type here declares the undeclared queues: see docs/adding-a-job.md, "Removing a job type".'
    : '';
  return `${count === 1 ? '1 difference' : `${count} differences`}${where}.${advice}`;
}

function undeclaredLine({ name, messages, consumers }: UndeclaredQueue, paint: Paint): string {
  const figures = `${messages ?? 'unknown'} messages, ${consumers ?? 'unknown'} consumers`;
  return `${paint('yellow', 'undeclared')} queue ${visible(name)}: ${figures}`;
}

function lineOf({ kind, what, name, detail }: TopologyDifference, paint: Paint): string {
  if (kind === 'missing') return `${paint('red', 'missing')} ${what} ${name}`;
  return `${paint('red', 'differs')} ${visible(detail ?? name)}`;
}

function bindingLine(
  { kind, exchange, queue, routingKey }: BindingDifference,
  paint: Paint,
): string {
  const binding = `binding ${exchange} -> ${visible(queue)} (key ${visible(JSON.stringify(routingKey))})`;
  return kind === 'missing'
    ? `${paint('red', 'missing')} ${binding}`
    : `${paint('yellow', 'foreign')} ${binding}: it may make a job without a queue look accepted`;
}
