import type { PayloadDefinition } from '@warren/contracts';
import type { z } from 'zod';
import { type JsonSchema, payloadSchema, toJsonSchema } from './payload-schemas.ts';

/** Component schemas of one kind of envelope: `kind` is any of them, each type has its own, and so has its payload. */
export function envelopeSchemas(
  kind: 'Job' | 'Event',
  envelope: z.ZodType,
  definitions: readonly PayloadDefinition[],
): Record<string, JsonSchema> {
  const base = toJsonSchema(envelope);
  const schemas: Record<string, JsonSchema> = {
    [kind]: {
      oneOf: definitions.map(({ type }) => ({ $ref: refTo(kind, type) })),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(definitions.map(({ type }) => [type, refTo(kind, type)])),
      },
    },
  };
  for (const definition of definitions) {
    const { type } = definition;
    const payload = `${kind}Payload.${type}`;
    schemas[payload] = payloadSchema(definition, payload);
    schemas[`${kind}.${type}`] = {
      ...base,
      title: type,
      properties: {
        ...(base['properties'] as object),
        type: { const: type },
        payload: { $ref: `#/components/schemas/${payload}` },
      },
      required: ['type', 'payload'],
    };
  }
  return schemas;
}

function refTo(kind: string, type: string): string {
  return `#/components/schemas/${kind}.${type}`;
}
