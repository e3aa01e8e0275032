/** The ports of one node, all on 127.0.0.1. */
export interface NodePorts {
  readonly amqp: number;
  /** Erlang distribution: `rabbitmqctl` talks to the node here. */
  readonly distribution: number;
  /** The node's own port mapper, so that it depends on no other Erlang on the machine. */
  readonly portMapper: number;
  readonly management: number;
  readonly prometheus: number;
}

/** Each single node has its own port mapper, so all of them can bear the same name; stored data keep it. */
export const NODE_NAME = 'warren@localhost';

/**
 * Idle schedulers sleep instead of spinning: a private node shares its cores with the services and the tests beside it. For such
 * machines RabbitMQ's guide to its runtime advises the same.
 */
const NO_BUSY_WAIT = '+sbwt none +sbwtdcpu none +sbwtdio none';

/** Whether the management page is among the plugins. */
export function hasManagement(plugins: readonly string[]): boolean {
  return plugins.includes('rabbitmq_management');
}

/** Whether the metrics endpoint is among the plugins. */
export function hasPrometheus(plugins: readonly string[]): boolean {
  return plugins.includes('rabbitmq_prometheus');
}

/**
 * The text of `rabbitmq.conf`: loopback listeners only. Settings of plugins that are off are left out,
 * because the broker refuses settings that it does not know.
 */
export function rabbitmqConf(
  ports: NodePorts,
  plugins: readonly string[],
  extraConfig: string,
): string {
  const lines = [`listeners.tcp.1 = 127.0.0.1:${ports.amqp}`];
  if (hasManagement(plugins)) {
    lines.push('management.tcp.ip = 127.0.0.1', `management.tcp.port = ${ports.management}`);
  }
  if (hasPrometheus(plugins)) {
    lines.push('prometheus.tcp.ip = 127.0.0.1', `prometheus.tcp.port = ${ports.prometheus}`);
  }
  return `${[...lines, extraConfig].join('\n')}\n`;
}

/** The text of `enabled_plugins`: an Erlang list of atoms. */
export function enabledPlugins(plugins: readonly string[]): string {
  return `[${plugins.join(',')}].\n`;
}

/**
 * The whole environment of the node and of its `rabbitmqctl`; nothing is inherited from this process but
 * `path`. `dataDir` is the folder as the node sees it.
 */
export function nodeEnvironment(
  dataDir: string,
  ports: NodePorts,
  path: string,
  nodeName: string = NODE_NAME,
): Record<string, string> {
  return {
    PATH: path,
    HOME: dataDir,
    LANG: 'C.UTF-8',
    ERL_EPMD_PORT: String(ports.portMapper),
    RABBITMQ_NODENAME: nodeName,
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `-kernel inet_dist_use_interface {127,0,0,1} ${NO_BUSY_WAIT}`,
    RABBITMQ_CTL_DIST_PORT_MIN: '35672',
    RABBITMQ_CTL_DIST_PORT_MAX: '36671',
    RABBITMQ_MNESIA_BASE: `${dataDir}/mnesia`,
    RABBITMQ_LOG_BASE: `${dataDir}/log`,
    RABBITMQ_GENERATED_CONFIG_DIR: `${dataDir}/generated`,
    RABBITMQ_CONFIG_FILE: `${dataDir}/rabbitmq.conf`,
    RABBITMQ_ADVANCED_CONFIG_FILE: `${dataDir}/advanced.config`,
    RABBITMQ_CONF_ENV_FILE: `${dataDir}/rabbitmq-env.conf`,
    RABBITMQ_ENABLED_PLUGINS_FILE: `${dataDir}/enabled_plugins`,
    RABBITMQ_PID_FILE: `${dataDir}/node.pid`,
  };
}
