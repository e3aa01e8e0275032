import type { DoctorFacts, SeenNode } from './facts.ts';
import { examined, type Finding, findings, listed, type Trouble } from './finding.ts';

/** RabbitMQ's own limit, at which a disk is as good as full. */
const DEFAULT_DISK_LIMIT_BYTES = 50_000_000;
/** Three times the write-ahead log of quorum queues. */
const SMALL_MEMORY_BYTES = 3 * 512 * 1_024 * 1_024;
const FEW_FILES = 65_536;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** What no development machine needs and every production does. */
export function checkProduction(facts: DoctorFacts): Finding[] {
  return [
    ...checkUser(facts),
    ...checkTls(facts),
    ...checkSize(facts),
    ...checkDisk(facts),
    ...checkMemory(facts),
    ...checkFileLimit(facts),
  ];
}

function checkUser({ username, vhost, tags, topology }: DoctorFacts): Finding[] {
  const troubles: Trouble[] = [];
  if (username === 'guest') {
    troubles.push({
      result: 'problem',
      finding: 'the user is guest, whose password everybody knows',
      advice: 'warren setup, then rabbitmqctl delete_user guest',
    });
  }
  if (vhost === '/' && topology.names.namespace === undefined) {
    troubles.push({
      result: 'warning',
      finding:
        'the virtual host is the default one, without a namespace: others may use the same names',
      advice: 'AMQP_VHOST or WARREN_NAMESPACE of its own',
    });
  }
  if ('value' in tags && tags.value.includes('administrator')) {
    troubles.push({
      result: 'warning',
      finding: `${username} is an administrator of the broker`,
      advice: 'services need no tag, and this command none but monitoring: warren setup',
    });
  }
  return findings('user', troubles, `${username} at ${vhost}`);
}

function checkTls({ hosts }: DoctorFacts): Finding[] {
  const open = hosts.filter(({ hostname, isTls }) => !isTls && !LOOPBACK.test(hostname));
  const trouble: Trouble = {
    result: 'problem',
    finding: `passwords and jobs cross the network unencrypted to ${listed(open.map(({ hostname }) => hostname))}`,
    advice: 'AMQP_URL=amqps://… and AMQP_CA_FILE: docs/configuration.md',
  };
  return findings('tls', open.length > 0 ? [trouble] : [], 'encrypted, or on this machine only');
}

function checkSize({ nodes, hosts }: DoctorFacts): Finding[] {
  return examined('cluster', nodes, ({ length }) => {
    const troubles: Trouble[] = [];
    if (length < 3) {
      troubles.push({
        result: 'warning',
        finding:
          length === 1
            ? 'a single node: while it is away nothing runs, and its disk is the only copy'
            : 'two nodes: when one is away, quorum queues stop',
        advice: 'three nodes, one per zone: docs/operations.md',
      });
    }
    if (length > 1 && hosts.length === 1) {
      troubles.push({
        result: 'warning',
        finding: 'AMQP_URL names one host of a cluster',
        advice: 'name all nodes, separated by commas, unless it is the address of a load balancer',
      });
    }
    return findings('cluster', troubles, `${length} nodes`);
  });
}

function checkDisk({ nodes }: DoctorFacts): Finding[] {
  return lowOf('disk limit', nodes, {
    isLow: ({ diskFreeLimitBytes }) => isAtMost(diskFreeLimitBytes, DEFAULT_DISK_LIMIT_BYTES),
    about: 'disk_free_limit is 50 MB or less, so that the alarm comes when it is too late:',
    advice: 'disk_free_limit.relative = 1.0 in rabbitmq.conf',
    ok: 'above the default of 50 MB',
  });
}

function checkMemory({ nodes }: DoctorFacts): Finding[] {
  return lowOf('memory limit', nodes, {
    isLow: ({ memoryLimitBytes }) => isAtMost(memoryLimitBytes, SMALL_MEMORY_BYTES - 1),
    about: 'less than 1.5 GiB, three times what the write-ahead log may take:',
    advice: 'more memory, or vm_memory_high_watermark in rabbitmq.conf',
    ok: '1.5 GiB or more',
  });
}

function checkFileLimit({ nodes, version }: DoctorFacts): Finding[] {
  if (!version?.startsWith('3.')) return [];
  return lowOf('file limit', nodes, {
    isLow: ({ fileLimit }) => isAtMost(fileLimit, FEW_FILES - 1),
    about: `fewer than ${FEW_FILES} file handles, of which RabbitMQ 3.x sets three aside for each quorum queue:`,
    advice: 'LimitNOFILE=65536: docs/deployment.md',
    ok: `${FEW_FILES} or more`,
  });
}

function lowOf(
  check: string,
  nodes: DoctorFacts['nodes'],
  {
    isLow,
    about,
    advice,
    ok,
  }: {
    readonly isLow: (node: SeenNode) => boolean;
    readonly about: string;
    readonly advice: string;
    readonly ok: string;
  },
): Finding[] {
  return examined(check, nodes, (all) => {
    const low = all.filter(isLow).map(({ name }) => name);
    const trouble: Trouble = { result: 'warning', finding: `${about} ${listed(low)}`, advice };
    return findings(check, low.length > 0 ? [trouble] : [], ok);
  });
}

function isAtMost(value: number | undefined, limit: number): boolean {
  return value !== undefined && value <= limit;
}
