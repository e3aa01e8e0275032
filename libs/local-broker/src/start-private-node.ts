import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePorts } from './free-ports.ts';
import { type InstalledServer, installedServer } from './installed-server.ts';
import {
  hasManagement,
  hasPrometheus,
  NODE_NAME,
  type NodePorts,
  nodeEnvironment,
} from './node-config.ts';
import { controlNode } from './node-control.ts';
import { writeNodeFiles } from './node-files.ts';
import { NodeLife } from './node-life.ts';
import type { PrivateNode, PrivateNodeOptions } from './private-node.ts';
import { openSystemRoot, type SystemRoot } from './system-root.ts';

const START_WITHIN_MS = 60_000;
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** What a node of a cluster has in common with the others, and its own name among them. */
export interface NodePlace {
  readonly nodeName: string;
  readonly cookie: string;
  readonly portMapper: number;
}

/**
 * Starts a private RabbitMQ node and resolves when it takes connections. Needs an installed `rabbitmq-server`;
 * any user may start one. Throws an error that names what is missing, or shows the end of the node's log.
 */
export function startPrivateNode(options: PrivateNodeOptions = {}): Promise<PrivateNode> {
  return startNode(options);
}

/** As `startPrivateNode`; with a place, as one of a cluster. */
export async function startNode(
  options: PrivateNodeOptions,
  place?: NodePlace,
): Promise<PrivateNode> {
  const rootPath = options.root ?? defaultRoot();
  const root = openSystemRoot(rootPath, tmpdir());
  const server = requireServer(rootPath);
  const plugins = options.plugins ?? [];
  const ports = await choosePorts(options, place);
  const dataDir = options.dataDir ? resolve(options.dataDir) : await temporaryFolder(root);
  const env = nodeEnvironment(root.inside(dataDir), ports, searchPath(root), place?.nodeName);
  const life = new NodeLife({
    root,
    serverScript: join(server.scriptsDir, 'rabbitmq-server'),
    env,
    dataDir,
    temporary: options.dataDir === undefined,
    amqpPort: ports.amqp,
    startWithinMs: options.startWithinMs ?? START_WITHIN_MS,
  });
  await writeNodeFiles(dataDir, ports, plugins, options.extraConfig ?? '', place?.cookie);
  const { version } = await life.start();
  return {
    ...controlNode(
      root,
      { scriptsDir: server.scriptsDir, distributionPort: ports.distribution },
      env,
    ),
    url: `amqp://guest:guest@127.0.0.1:${ports.amqp}`,
    amqpPort: ports.amqp,
    ...(hasManagement(plugins) && { managementPort: ports.management }),
    ...(hasPrometheus(plugins) && { prometheusPort: ports.prometheus }),
    version: version ?? server.version ?? 'unknown',
    nodeName: place?.nodeName ?? NODE_NAME,
    dataDir,
    stop: () => life.stop(),
    kill: () => life.kill(),
    restart: (how = 'stop') => life.restart(how),
    pause: () => life.pause(),
    resume: () => life.resume(),
  };
}

/** Whether `startPrivateNode` finds a server to start, where no other root is named. */
export function canStartPrivateNode(): boolean {
  return installedServer(defaultRoot()) !== undefined;
}

/** The system that nodes are started from where no other is named. */
export function defaultRoot(): string {
  return process.env['WARREN_RABBITMQ_ROOT'] || '/';
}

function requireServer(root: string): InstalledServer {
  const server = installedServer(root);
  if (server) return server;
  const where = root === '/' ? 'on this machine' : `in ${root}`;
  throw new Error(`no rabbitmq-server is installed ${where}; Debian's package has that name`);
}

async function choosePorts(
  options: PrivateNodeOptions,
  place: NodePlace | undefined,
): Promise<NodePorts> {
  const [amqp, distribution, portMapper, management, prometheus] = await freePorts(5);
  return {
    amqp: options.amqpPort ?? (amqp as number),
    distribution: distribution as number,
    portMapper: place?.portMapper ?? (portMapper as number),
    management: options.managementPort ?? (management as number),
    prometheus: prometheus as number,
  };
}

function temporaryFolder(root: SystemRoot): Promise<string> {
  return mkdtemp(join(root.temporaryFolder, 'warren-rabbitmq-'));
}

/** `PATH` of what is started in a system. */
export function searchPath(root: SystemRoot): string {
  return root.path === '/' ? `${process.env['PATH'] ?? ''}:${SYSTEM_PATH}` : SYSTEM_PATH;
}
