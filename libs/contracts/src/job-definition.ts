import type { StandardSchemaV1 } from '@standard-schema/spec';
import { checkJobTypeName } from './job-type-name.ts';
import {
  namingDefinition,
  PAYLOAD_OPTIONS,
  type PayloadDefinition,
  type PayloadOptions,
  resolvePayload,
} from './payload-definition.ts';
import {
  QUEUE_OPTIONS,
  type QueueOptions,
  type QueuePolicy,
  resolveQueuePolicy,
} from './queue-options.ts';
import { refuseUnknown } from './retry-policy.ts';
import { RUN_OPTIONS, type RunOptions, type RunPolicy, resolveRunPolicy } from './run-options.ts';

/** What a job type is, as its owner writes it down. */
export interface JobOptions<Type extends string, Schema extends StandardSchemaV1>
  extends PayloadOptions<Type, Schema>,
    RunOptions,
    QueueOptions {}

/** A job type, checked and resolved: what publisher, topology and worker need to know of it. */
export interface JobDefinition<
  Type extends string = string,
  Schema extends StandardSchemaV1 = StandardSchemaV1,
> extends PayloadDefinition<Type, Schema>,
    RunPolicy,
    QueuePolicy {}

/**
 * Defines a job type once, for publishers and workers alike.
 * @throws ConfigInvalidError naming the option, for a wrong or unknown one
 */
export function defineJob<const Type extends string, Schema extends StandardSchemaV1>(
  options: JobOptions<Type, Schema>,
): JobDefinition<Type, Schema> {
  checkJobTypeName(options.type);
  return namingDefinition(`job ${options.type}`, () => {
    refuseUnknown(options, [...PAYLOAD_OPTIONS, ...RUN_OPTIONS, ...QUEUE_OPTIONS], '');
    const queue = resolveQueuePolicy(options);
    return Object.freeze({
      ...resolvePayload(options),
      ...resolveRunPolicy(options, queue.maxDepth),
      ...queue,
    });
  });
}
