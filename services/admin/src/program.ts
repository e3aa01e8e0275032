import { WARREN_VERSION } from '@warren/runtime';
import { Command } from 'commander';
import { EXIT_CODES } from './exit-codes.ts';
import { addBreakers } from './program/breakers.ts';
import { addCompletion } from './program/completion.ts';
import { addDeadChanges } from './program/dead-changes.ts';
import { addDeadLooks } from './program/dead-looks.ts';
import { addDoctor } from './program/doctor.ts';
import { addJobs } from './program/jobs.ts';
import { addKeys } from './program/keys.ts';
import { addLimits } from './program/limits.ts';
import { explainMissingArguments } from './program/missing-arguments.ts';
import { addOverview } from './program/overview.ts';
import { examples, type Run } from './program/parts.ts';
import { addQueue } from './program/queue.ts';
import { addSetup } from './program/setup.ts';
import { addStore } from './program/store.ts';
import { addTopology } from './program/topology.ts';

/** Where the text goes that the parser itself writes. */
export interface ProgramOutput {
  writeOut(text: string): void;
  writeErr(text: string): void;
}

/** The command line, as data for the parser; `jobTypes` are what a shell may complete. Parsing throws a CommanderError instead of ending the process. */
export function buildProgram(
  run: Run,
  output: ProgramOutput,
  jobTypes: readonly string[] = [],
): Command {
  const program = new Command('warren')
    .description('Topology, dead letters, jobs and store of an installation of Warren')
    .version(WARREN_VERSION)
    .exitOverride()
    .configureOutput({ ...output, getOutHelpWidth: () => 100, getErrHelpWidth: () => 100 })
    .configureHelp({ showGlobalOptions: false })
    .showHelpAfterError('(--help shows what is possible)')
    .addHelpText('after', afterHelp());
  addSetup(program, run);
  addTopology(program, run);
  const dead = program.command('dead').description('look at dead letters, and deal with them');
  addDeadLooks(dead, run);
  addDeadChanges(dead, run);
  addOverview(program, run);
  addDoctor(program, run);
  addQueue(program, run);
  addBreakers(program, run);
  addLimits(program, run);
  addJobs(program, run);
  addStore(program, run);
  addKeys(program, output.writeOut);
  addCompletion(program, jobTypes, output.writeOut);
  explainMissingArguments(program);
  return program;
}

function afterHelp(): string {
  const codes = Object.entries(EXIT_CODES).map(([code, meaning]) => `  ${code}  ${meaning}`);
  return [
    '',
    'Environment: AMQP_URL, WARREN_NAMESPACE and the other variables of every process that talks to',
    'RabbitMQ, WARREN_MANAGEMENT_URL, and for the store DATABASE_URL; see docs/configuration.md.',
    '',
    'Without DATABASE_URL the store is the embedded one in WARREN_DATA_DIR (.warren), which is for one process at a time:',
    'while npm start runs, jobs and store … are refused. Ask its gateway (curl localhost:3000/v1/jobs), or stop it first.',
    '',
    'Exit codes:',
    ...codes,
    examples(
      'warren topology diff',
      'warren dead list email.send',
      'warren dead replay email.send',
    ),
  ].join('\n');
}
