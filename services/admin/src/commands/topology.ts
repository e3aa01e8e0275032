import type { BrokerSession, TopologyDifference } from '@warren/broker';
import { TopologyMismatchError } from '@warren/contracts';
import { brokerConnection } from '@warren/runtime';
import { createManagement } from '../data-access/management.ts';
import { type BindingDifference, compareBindings } from '../domain/compare-bindings.ts';
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
  const { shell, topology, config } = admin;
  const paint = choosePaint(shell.isTerminal, shell.env);
  const differences = await withSession(admin, (session) => session.compare(topology));
  const lines = differences.map((difference) => lineOf(difference, paint));
  const url = config.WARREN_MANAGEMENT_URL;
  const found =
    url === undefined
      ? undefined
      : await compareBindings(topology, createManagement(url, brokerConnection(config)));
  lines.push(...(found ?? []).map((difference) => bindingLine(difference, paint)));
  if (url === undefined) {
    shell.err('Bindings were not compared: AMQP cannot show them. Set WARREN_MANAGEMENT_URL.\n');
  }
  const text = [...lines, summary(lines.length)].join('\n');
  showResult(shell, options, { differences, bindings: found ?? null }, text);
  return lines.length > 0 ? 1 : 0;
}

function summary(count: number): string {
  if (count === 0) return 'No difference.';
  return count === 1 ? '1 difference.' : `${count} differences.`;
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
