import { tmpdir } from 'node:os';
import { breakLinks, mendLinks, queueMembers } from './faults.ts';
import { freePorts } from './free-ports.ts';
import { newCookie } from './node-files.ts';
import { type PortMapper, startPortMapper } from './port-mapper.ts';
import type { PrivateCluster, PrivateClusterOptions, QueuePlace } from './private-cluster.ts';
import type { PrivateNode } from './private-node.ts';
import { defaultRoot, searchPath, startNode } from './start-private-node.ts';
import { openSystemRoot } from './system-root.ts';

const [FIRST, ...OTHERS] = ['warren1@localhost', 'warren2@localhost', 'warren3@localhost'] as const;

/** They share this machine. */
const START_WITHIN_MS = 120_000;

/**
 * Lost neighbours are noticed within seconds, not a minute; a node that is cut off from the others pauses itself, as
 * RabbitMQ 4.3 always does.
 */
const COMMON_CONFIG = ['net_ticktime = 8', 'cluster_partition_handling = pause_minority'];

/** A node without data joins the one that is named first. */
const JOIN_CONFIG = (self: string) => [
  'cluster_formation.peer_discovery_backend = classic_config',
  `cluster_formation.classic_config.nodes.1 = ${FIRST}`,
  `cluster_formation.classic_config.nodes.2 = ${self}`,
];

/**
 * Starts three private RabbitMQ nodes as a cluster, so that quorum queues have three members. Like a private node it
 * is killed, and its data removed, however this process ends. Throws as `startPrivateNode` does; nothing is left then.
 */
export async function startPrivateCluster(
  options: PrivateClusterOptions = {},
): Promise<PrivateCluster> {
  const rootPath = options.root ?? defaultRoot();
  const root = openSystemRoot(rootPath, tmpdir());
  const [portMapper] = (await freePorts(1)) as [number];
  const cookie = newCookie();
  const mapper = await startPortMapper(root, portMapper, searchPath(root));
  const nodes: PrivateNode[] = [];
  const start = async (nodeName: string, config: readonly string[]) => {
    const extraConfig = [...COMMON_CONFIG, ...config, options.extraConfig ?? ''].join('\n');
    const place = { nodeName, cookie, portMapper };
    nodes.push(
      await startNode(
        { startWithinMs: START_WITHIN_MS, ...options, root: rootPath, extraConfig },
        place,
      ),
    );
  };
  try {
    await start(FIRST, []);
    // One after the other: two that join at the same time wait for each other, and for longer.
    for (const name of OTHERS) await start(name, JOIN_CONFIG(name));
    await requireWhole(nodes);
  } catch (error) {
    await stopAll(nodes, mapper);
    throw error;
  }
  return clusterOf(nodes, mapper);
}

function clusterOf(nodes: readonly PrivateNode[], mapper: PortMapper): PrivateCluster {
  const othersOf = (node: PrivateNode) =>
    nodes.filter((one) => one !== node).map(({ nodeName }) => nodeName);
  return {
    nodes,
    urls: nodes.map(({ url }) => url),
    version: nodes[0]?.version ?? 'unknown',
    isWhole: async () => {
      const answers = await Promise.all(
        nodes.map((node) => node.eval(SEES_OTHERS).catch(() => '')),
      );
      return answers.every((answer) => answer.includes('2') && answer.includes('true'));
    },
    placeOf: (queue) => placeOf(nodes, queue),
    isolate: async (node) => void (await node.eval(breakLinks(othersOf(node)))),
    rejoin: async (node) => void (await node.eval(mendLinks(othersOf(node)))),
    stop: () => stopAll(nodes, mapper),
  };
}

/** How many others a node sees, and whether it takes part, which one that was in the minority does not for a while. */
const SEES_OTHERS = '{length(nodes()), rabbit:is_running()}.';

async function placeOf(nodes: readonly PrivateNode[], queue: string): Promise<QueuePlace> {
  const problems: string[] = [];
  for (const node of nodes) {
    try {
      const text = await node.eval(queueMembers(queue));
      const named = [...text.matchAll(/[\w-]+@localhost/g)].map(([name]) => nodeNamed(nodes, name));
      const [leader, ...members] = named;
      if (leader) return { leader, members };
      problems.push(text);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  throw new Error(`no node tells where ${queue} lives: ${problems.join('; ')}`);
}

function nodeNamed(nodes: readonly PrivateNode[], name: string): PrivateNode {
  const found = nodes.find(({ nodeName }) => nodeName === name);
  if (found) return found;
  throw new Error(`${name} is no node of this cluster`);
}

/** A node that found nobody to join starts alone, and says nothing. Rejects when they are not all there in time. */
async function requireWhole(nodes: readonly PrivateNode[]): Promise<void> {
  await nodes[0]?.ctl('await_online_nodes', String(nodes.length), '--timeout', '30');
}

async function stopAll(nodes: readonly PrivateNode[], mapper: PortMapper): Promise<void> {
  // Killed, not stopped: a node that is the last to be stopped waits for the others when it is.
  await Promise.all(nodes.map(async (node) => node.kill().then(() => node.stop())));
  await mapper.stop();
}
