import { ConfigInvalidError } from '@warren/contracts';
import type { Logger, Metrics } from '@warren/telemetry';
import { readCommandLine } from './command-line.ts';
import { type Environment, loadConfig } from './config.ts';
import { helpText } from './config-help.ts';
import { configWarnings } from './config-warnings.ts';
import { meteringSettings } from './metering/metering-settings.ts';
import { configProblem, runProcess } from './run-process.ts';
import type { Service } from './service.ts';
import type { ConfigDefinition, ConfigOf } from './setting.ts';
import { opsSettings } from './shared-settings.ts';
import { tracingSettings } from './tracing/tracing-settings.ts';

/** What the process gives to the service that it runs. */
export interface Shell {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface RunServiceOptions<Definition extends ConfigDefinition> {
  /** Name in `--help`, logs and metrics. */
  readonly name: string;
  /** The service's own variables; those of `opsSettings`, `tracingSettings` and `meteringSettings` are added. */
  readonly config: Definition;
  /** Makes the service, without starting it. A ConfigInvalidError from here or from `start` is shown as such, and a CannotStartError as it is. */
  readonly create: (config: ConfigOf<Definition & typeof opsSettings>, shell: Shell) => Service;
  /** Default `process.env`. */
  readonly env?: Environment;
  /** Arguments after the script's name. Default those of the process. */
  readonly argv?: readonly string[];
}

/**
 * Runs a service as this process: `--help`, configuration, ops server, signals, exit code. The process exits
 * with 0 after a clean stop, 1 after a failure, 2 for arguments that it does not know. Resolves once the
 * service has started, or once there is nothing left to do.
 */
export async function runService<Definition extends ConfigDefinition>({
  name,
  config: own,
  create,
  env = process.env,
  argv = process.argv.slice(2),
}: RunServiceOptions<Definition>): Promise<void> {
  const definition = { ...opsSettings, ...tracingSettings, ...meteringSettings, ...own };
  const command = readCommandLine(name, argv);
  if (command.kind === 'refuse') return leave(2, process.stderr, command.message);
  if (command.kind === 'help') return leave(0, process.stdout, helpText(name, definition));
  const config = readConfig(name, definition, env);
  if (!config) return;
  await runProcess({
    name,
    ops: config,
    telemetry: config,
    warnings: configWarnings(definition, env),
    create: (shell) => create(config, shell),
  });
}

function readConfig<Definition extends ConfigDefinition>(
  name: string,
  definition: Definition,
  env: Environment,
): ConfigOf<Definition> | undefined {
  try {
    return loadConfig(definition, env);
  } catch (error) {
    if (!(error instanceof ConfigInvalidError)) throw error;
    return void leave(1, process.stderr, configProblem(name, error));
  }
}

/** Ends by running out of work: `process.exit` would cut off what a pipe has not taken yet. */
function leave(code: number, stream: NodeJS.WriteStream, text: string): void {
  process.exitCode = code;
  stream.write(text.endsWith('\n') ? text : `${text}\n`);
}
