import type { QueueFigures, TopologyDifference } from '@warren/broker';
import type { JobDefinition } from '@warren/contracts';
import type { Topology } from '@warren/topology';
import type { BindingDifference } from '../compare-bindings.ts';
import type { HeldBack } from '../held-back.ts';
import type { Seen } from './finding.ts';

/** What AMQP itself tells of an installation. */
export interface BrokerFacts {
  readonly topology: Topology;
  readonly jobs: readonly Pick<JobDefinition, 'type' | 'timeoutMs' | 'cancelGraceMs' | 'long'>[];
  /** Such as `3.10.8`; undefined where the broker does not say. */
  readonly version: string | undefined;
  readonly username: string;
  readonly vhost: string;
  readonly hosts: readonly { readonly hostname: string; readonly isTls: boolean }[];
  /** Why it takes no messages; undefined when it does. */
  readonly blockedReason: string | undefined;
  readonly differences: Seen<readonly TopologyDifference[]>;
  readonly figures: Seen<ReadonlyMap<string, QueueFigures | undefined>>;
  /** Why workers may take no jobs. */
  readonly held: HeldBack;
}

/** A queue as the management API tells of it. */
export interface SeenQueue {
  readonly name: string;
  readonly type: string | undefined;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Names of the policies that hold for it. */
  readonly policies: readonly string[];
  /** What all of them together say; undefined where it is not told, as of a queue that is some seconds old. */
  readonly policy: Readonly<Record<string, unknown>> | undefined;
  /** Nodes that have a copy; undefined for queues that have none, or where it is not told. */
  readonly members: readonly string[] | undefined;
  /** Those of them that are up. */
  readonly online: readonly string[] | undefined;
  /**
   * Messages that are counted, and neither wait nor are out: on their way to where they are dead-lettered, or stuck on it.
   * The smaller of two looks; undefined where it is not told.
   */
  readonly leaving: number | undefined;
}

/** A node as the management API tells of it. What is undefined, it does not tell. */
export interface SeenNode {
  readonly name: string;
  readonly isRunning: boolean;
  readonly memoryBytes: number | undefined;
  readonly memoryLimitBytes: number | undefined;
  readonly hasMemoryAlarm: boolean;
  readonly diskFreeLimitBytes: number | undefined;
  readonly hasDiskAlarm: boolean;
  readonly fileLimit: number | undefined;
  readonly plugins: readonly string[] | undefined;
  readonly partitions: readonly string[];
}

/** What a user may do: three regular expressions. */
export interface SeenPermissions {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
}

/** What RabbitMQ's management API tells of an installation. */
export interface ManagementFacts {
  readonly tags: Seen<readonly string[]>;
  readonly bindings: Seen<readonly BindingDifference[]>;
  readonly queues: Seen<readonly SeenQueue[]>;
  readonly nodes: Seen<readonly SeenNode[]>;
  /** Queues of all virtual hosts. */
  readonly queueCount: Seen<number>;
  /** Stable feature flags that are off. */
  readonly disabledFlags: Seen<readonly string[]>;
  /** Deprecated features that are in use. */
  readonly deprecated: Seen<readonly string[]>;
  readonly permissions: Seen<SeenPermissions | undefined>;
}

/** All that the doctor looks at. */
export type DoctorFacts = BrokerFacts & ManagementFacts;
