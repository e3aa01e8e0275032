import type { SchemaNames } from '../schema-names.ts';

/** One step of the schema, both ways. Scripts run in a transaction. */
export interface Migration {
  /** One more than the step before. */
  readonly version: number;
  readonly name: string;
  up(schemas: SchemaNames): string;
  /** Undoes `up`; what only this step's tables hold is lost. */
  down(schemas: SchemaNames): string;
}
