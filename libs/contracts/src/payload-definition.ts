import type { StandardSchemaV1 } from '@standard-schema/spec';
import { ConfigInvalidError } from './errors.ts';
import { piiPathsOf } from './pii.ts';

/**
 * Turns a payload of one version into one of the next, at once: it may not be asynchronous. Gets what was published,
 * unchecked. What it throws makes the job a dead letter, with reason `schema`.
 */
export type Upgrade = (payload: unknown) => unknown;

/** What jobs and events have in common: a name and a payload. */
export interface PayloadOptions<Type extends string, Schema extends StandardSchemaV1> {
  /** Registered name and routing key, such as `email.send` or `order.placed`. */
  type: Type;
  /** Payload schema: zod or any other Standard Schema. Checked when published and when consumed. */
  schema: Schema;
  /** One sentence for people: shown in docs and consoles. */
  description?: string;
  /** Version of the payload's shape, from 1. Raise it with a step in `upgrade` when older payloads no longer fit. Default 1. */
  version?: number;
  /** Steps by the version that they start from: `{ 1: (old) => …version 2… }`, one for every version before `version`. */
  upgrade?: Readonly<Record<number, Upgrade>>;
  /** Largest encoded payload. Default 1 MiB. */
  maxPayloadBytes?: number;
  /** Dotted payload paths that hold personal data, for schemas that cannot carry `pii()` marks. */
  pii?: readonly string[];
}

/** The resolved form of PayloadOptions. */
export interface PayloadDefinition<
  Type extends string = string,
  Schema extends StandardSchemaV1 = StandardSchemaV1,
> {
  readonly type: Type;
  readonly schema: Schema;
  readonly description: string;
  readonly version: number;
  /** The step from version `n` is at index `n - 1`. */
  readonly upgrades: readonly Upgrade[];
  readonly maxPayloadBytes: number;
  readonly piiPaths: readonly string[];
}

/** What `publish` or `emit` takes for a definition. */
export type PayloadInput<Definition extends PayloadDefinition> = StandardSchemaV1.InferInput<
  Definition['schema']
>;

/** What a handler gets: the schema's output. */
export type PayloadOutput<Definition extends PayloadDefinition> = StandardSchemaV1.InferOutput<
  Definition['schema']
>;

export const PAYLOAD_OPTIONS = [
  'type',
  'schema',
  'description',
  'version',
  'upgrade',
  'maxPayloadBytes',
  'pii',
];

/** The broker refuses larger messages: 16 MiB is RabbitMQ 4's own default limit. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_VERSION = 1_000;

/** @throws ConfigInvalidError naming the option */
export function resolvePayload<Type extends string, Schema extends StandardSchemaV1>(
  options: PayloadOptions<Type, Schema>,
): PayloadDefinition<Type, Schema> {
  const { type, schema, description = '' } = options;
  if (typeof schema?.['~standard']?.validate !== 'function') {
    throw new ConfigInvalidError('schema', 'expected a zod schema or another Standard Schema');
  }
  if (typeof description !== 'string') {
    throw new ConfigInvalidError('description', 'expected a sentence');
  }
  const version = count(options.version ?? 1, 'version', 1, MAX_VERSION);
  return {
    type,
    schema,
    description,
    version,
    upgrades: upgradesOf(version, options.upgrade ?? {}),
    maxPayloadBytes: count(
      options.maxPayloadBytes ?? 1024 * 1024,
      'maxPayloadBytes',
      1,
      MAX_MESSAGE_BYTES,
    ),
    piiPaths: Object.freeze([...piiPathsOf(schema), ...checkPiiPaths(options.pii ?? [])]),
  };
}

/** Errors that name the definition as well as the option. */
export function namingDefinition<T>(what: string, resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    if (!(error instanceof ConfigInvalidError)) throw error;
    const problem = error.message.slice(error.setting.length + 2);
    throw new ConfigInvalidError(`${what}: ${error.setting}`, problem);
  }
}

export function count(value: number, name: string, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new ConfigInvalidError(
      name,
      `expected a whole number from ${min} to ${max}, got ${value}`,
    );
  }
  return value;
}

function upgradesOf(version: number, steps: Readonly<Record<number, Upgrade>>): readonly Upgrade[] {
  if (typeof steps !== 'object') {
    throw new ConfigInvalidError('upgrade', 'expected steps by the version that they start from');
  }
  const used = new Set(Array.from({ length: version - 1 }, (_, index) => String(index + 1)));
  const unused = Object.keys(steps).find((from) => !used.has(from));
  if (unused !== undefined) {
    throw new ConfigInvalidError(
      'upgrade',
      `has a step from ${unused}, and the version is ${version}`,
    );
  }
  return Object.freeze(
    Array.from({ length: version - 1 }, (_, index) => {
      const step = steps[index + 1];
      if (typeof step === 'function') return step;
      throw new ConfigInvalidError(
        'upgrade',
        `needs a step (a function) from version ${index + 1}`,
      );
    }),
  );
}

function checkPiiPaths(paths: readonly string[]): readonly string[] {
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === 'string')) {
    throw new ConfigInvalidError('pii', "expected a list of paths such as ['customer.name']");
  }
  return paths;
}
