import { type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { AmqpAdmin, anyJob } from '@warren/testing';
import { buildTopology } from '@warren/topology';
import { expect } from 'vitest';
import { runCommand } from './command.ts';

export const START_MS = 120_000;
/** The job types of the installation. */
export const jobs = ['email.send', 'document.fetch', 'payment.charge', 'webhook.deliver'].map(
  (type) => anyJob(type),
);
export const topology = buildTopology({ jobTypes: jobs, history: {} });

/** A node with its management API that has the topology, looked after by the command `warren`. */
export class Upkeep {
  readonly node: PrivateNode;
  readonly admin: AmqpAdmin;

  private constructor(node: PrivateNode, admin: AmqpAdmin) {
    this.node = node;
    this.admin = admin;
  }

  static async start(): Promise<Upkeep> {
    // Otherwise what the management API tells is seconds old, and queues tell of their policies half a minute late.
    const extraConfig = 'collect_statistics_interval = 500';
    const node = await startPrivateNode({ plugins: ['rabbitmq_management'], extraConfig });
    try {
      await node.eval('application:set_env(rabbit, quorum_tick_interval, 500).');
      const upkeep = new Upkeep(node, await AmqpAdmin.connect(node.url));
      expect(await upkeep.warren(['topology', 'apply'])).toMatchObject({ code: 0 });
      return upkeep;
    } catch (error) {
      await node.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.admin.close();
    await this.node.stop();
  }

  warren(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const WARREN_MANAGEMENT_URL = `http://127.0.0.1:${this.node.managementPort}`;
    return runCommand(args, {
      env: { AMQP_URL: this.node.url, WARREN_MANAGEMENT_URL, ...env },
      jobs,
    });
  }
}
