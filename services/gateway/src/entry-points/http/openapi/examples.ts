import type { PayloadDefinition } from '@warren/contracts';
import type { Described } from '../route.ts';
import { payloadSchema } from './payload-schemas.ts';

/** Examples by name, as a media type of the document has them. */
type Examples = Readonly<Record<string, { readonly value: unknown }>>;

/** The sets of examples that routes refer to by `x-examples`; each is made of the examples that payload schemas carry. */
export function exampleSets(
  jobs: readonly PayloadDefinition[],
  events: readonly PayloadDefinition[],
): Readonly<Record<string, Examples>> {
  const ofJobs = examplesOf(jobs);
  const bodies = Object.values(ofJobs).map(({ value }) => value);
  return {
    jobs: ofJobs,
    events: examplesOf(events),
    bulk: { all: { value: bodies } },
    lines: { all: { value: bodies.map((body) => `${JSON.stringify(body)}\n`).join('') } },
  };
}

function examplesOf(definitions: readonly PayloadDefinition[]): Examples {
  return Object.fromEntries(
    definitions.flatMap((definition) => {
      const { examples = [] } = payloadSchema(definition, '') as { examples?: readonly unknown[] };
      return examples.map((payload, index) => {
        const name = index === 0 ? definition.type : `${definition.type}.${index + 1}`;
        return [name, { value: { type: definition.type, payload } }] as const;
      });
    }),
  );
}

/** A request body with its sets of examples put in. */
export function withExamples(
  content: Described,
  sets: Readonly<Record<string, Examples>>,
): Described {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, described]) => {
      const { 'x-examples': set, ...rest } = described as { 'x-examples'?: string };
      return [mediaType, set === undefined ? rest : { ...rest, examples: sets[set] }];
    }),
  );
}
