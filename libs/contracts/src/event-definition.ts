import type { StandardSchemaV1 } from '@standard-schema/spec';
import { checkJobTypeName } from './job-type-name.ts';
import {
  namingDefinition,
  PAYLOAD_OPTIONS,
  type PayloadDefinition,
  type PayloadOptions,
  resolvePayload,
} from './payload-definition.ts';
import { refuseUnknown } from './retry-policy.ts';

/** A fact that any number of services may read, checked and resolved. */
export interface EventDefinition<
  Type extends string = string,
  Schema extends StandardSchemaV1 = StandardSchemaV1,
> extends PayloadDefinition<Type, Schema> {
  /** Tells an event from a job, for people and for the compiler. */
  readonly kind: 'event';
}

/**
 * Defines an event once, for whoever emits it and whoever reads it. How a reader runs is the reader's to say.
 * @throws ConfigInvalidError naming the option, for a wrong or unknown one
 */
export function defineEvent<const Type extends string, Schema extends StandardSchemaV1>(
  options: PayloadOptions<Type, Schema>,
): EventDefinition<Type, Schema> {
  checkJobTypeName(options.type);
  return namingDefinition(`event ${options.type}`, () => {
    refuseUnknown(options, PAYLOAD_OPTIONS, '');
    return Object.freeze({ kind: 'event' as const, ...resolvePayload(options) });
  });
}
