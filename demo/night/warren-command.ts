import { runAdmin } from '@warren/admin';
import { catalog } from '@warren/catalog';
import { sharedDatabaseUrl } from '@warren/testing';
import type { Stage } from '../stage.ts';

/** Runs `warren …` as a person at a terminal does, and tells what was typed and what was printed. */
export type WarrenCommand = (args: readonly string[], expectedExitCode?: number) => Promise<string>;

/** On the stage's installation, with the ledger in PostgreSQL. @throws when it exits with another code than expected */
export function warrenCommand(
  { session, topology, signal }: Stage,
  tell: (line: string) => void,
): WarrenCommand {
  const env = {
    AMQP_URL: session.connection.urls.join(','),
    DATABASE_URL: sharedDatabaseUrl(),
    WARREN_NAMESPACE: topology.names.namespace,
  };
  return async (args, expectedExitCode = 0) => {
    let printed = '';
    const print = (text: string) => {
      printed += text;
    };
    tell(`$ warren ${args.map(quoted).join(' ')}`);
    const shell = { env, out: print, err: print, isTerminal: false, signal, jobs: catalog };
    const exitCode = await runAdmin(args, shell);
    for (const line of shown(printed, topology.names.namespace)) tell(line);
    if (exitCode !== expectedExitCode) throw new Error(`exit code ${exitCode}`);
    return printed;
  };
}

/** Without what is of this run and machine: the namespace, and where the sources are. */
function shown(printed: string, namespace: string | undefined): string[] {
  return printed
    .replaceAll(`${namespace}.`, '')
    .replaceAll(/(?:^ +at .*\n)+/gm, '      at …\n')
    .trimEnd()
    .split('\n');
}

function quoted(argument: string): string {
  if (/^[\w.,:@/-]+$/.test(argument)) return argument;
  return argument.includes("'") ? JSON.stringify(argument) : `'${argument}'`;
}
