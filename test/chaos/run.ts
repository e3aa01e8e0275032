import {
  type PrivateCluster,
  type PrivateNode,
  startPrivateCluster,
  startPrivateNode,
} from '@warren/local-broker';
import { runLanes } from './lanes/run-lanes.ts';
import { runProduct } from './product/run-product.ts';
import { runReplays } from './replays/run-replays.ts';
import { runCluster } from './storm/run-cluster.ts';
import { runStorm } from './storm/run-storm.ts';
import { runWindows } from './storm/run-windows.ts';
import {
  type ChaosOptions,
  type ChaosRequest,
  readChaosOptions,
  USAGE,
  UsageError,
} from './support/command-line.ts';
import { runChaos } from './support/run-chaos.ts';

/** `npm run chaos`: jobs under random faults, for as long as one likes. */
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

/** Whether all was as promised, and the last line. */
interface Ending {
  readonly clean: boolean;
  readonly report: object;
}

type OnNode = (node: PrivateNode, options: ChaosOptions) => Promise<Ending>;

const ON_A_NODE: Readonly<Record<Exclude<ChaosRequest['scenario'], 'cluster'>, OnNode>> = {
  broker: async (node, options) => {
    const report = await runChaos(node, options, print);
    return { clean: report.lost === 0, report };
  },
  product: async (node, options) => {
    const report = await runProduct(node, options, print);
    return { clean: report.clean, report };
  },
  windows: async (node, options) => {
    const report = await runWindows(node, options, print);
    return { clean: report.clean, report };
  },
  lanes: async (node, options) => {
    const report = await runLanes(node, options, print);
    return { clean: report.clean, report };
  },
  replays: async (node, options) => {
    const report = await runReplays(node, options, print);
    return { clean: report.clean, report };
  },
  storm: async (node, options) => {
    const report = await runStorm(node, options, print);
    return { clean: report.clean, report };
  },
};

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readChaosOptions(args);
    if (!options) {
      print(USAGE);
      return 0;
    }
    const { clean, report } = await run(options);
    print(JSON.stringify(report));
    return clean ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`chaos: ${error.message}\n\n${USAGE}`);
    return 2;
  }
}

function run({ scenario, ...options }: ChaosRequest): Promise<Ending> {
  if (scenario === 'cluster') {
    return onCluster(options, async (cluster) => {
      const report = await runCluster(cluster, options, print);
      return { clean: report.clean, report };
    });
  }
  return onNode(options, (node) => ON_A_NODE[scenario](node, options));
}

async function onNode(
  { seed }: ChaosOptions,
  use: (node: PrivateNode) => Promise<Ending>,
): Promise<Ending> {
  const node = await startPrivateNode().catch(toUsageError);
  try {
    print(`seed ${seed}, RabbitMQ ${node.version}`);
    return await use(node);
  } finally {
    await node.stop();
  }
}

async function onCluster(
  { seed }: ChaosOptions,
  use: (cluster: PrivateCluster) => Promise<Ending>,
): Promise<Ending> {
  const cluster = await startPrivateCluster().catch(toUsageError);
  try {
    print(`seed ${seed}, RabbitMQ ${cluster.version}, three nodes`);
    return await use(cluster);
  } finally {
    await cluster.stop();
  }
}

function toUsageError(error: unknown): never {
  throw new UsageError((error as Error).message);
}
