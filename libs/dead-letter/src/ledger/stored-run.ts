import type { Selection } from '../selection.ts';

/** How a run goes about it, as the ledger keeps it: whoever resumes it goes on so. */
export interface RunSettings {
  readonly limit?: number | undefined;
  readonly ratePerSecond?: number | undefined;
  /** How many to try first. */
  readonly canary?: number | undefined;
  readonly canaryWaitSeconds?: number | undefined;
  readonly maxReplays?: number | undefined;
  /** Full name of the queue that all go to. */
  readonly to?: string | undefined;
  /** Payloads are corrected. How is not kept, since that is a payload's part: whoever resumes it says it again. */
  readonly isEdited?: boolean | undefined;
  /** Goes on while a circuit is open that its jobs wait for. */
  readonly ignoreBreakers?: boolean | undefined;
}

const SETTINGS = [
  'limit',
  'ratePerSecond',
  'canary',
  'canaryWaitSeconds',
  'maxReplays',
] as const satisfies (keyof RunSettings)[];

const LISTS = ['types', 'errors', 'fingerprints', 'ids'] as const satisfies (keyof Selection)[];
const TIMES = ['sinceMs', 'untilMs'] as const satisfies (keyof Selection)[];

/**
 * The settings out of a ledger, which may be of another version: what is no number is left out.
 * @throws Error where it is not understood which queue they are to go to
 */
export function readRunSettings(kept: unknown): RunSettings {
  const given = tableOf(kept);
  const { to } = given as { to?: unknown };
  if (to !== undefined && typeof to !== 'string') {
    throw new Error('where they were to go is not understood here: "to"');
  }
  const numbers = SETTINGS.flatMap((name) =>
    typeof given[name] === 'number' ? [[name, given[name]]] : [],
  );
  return {
    ...Object.fromEntries(numbers),
    ...(to !== undefined && { to }),
    ...(given['isEdited'] === true && { isEdited: true }),
    ...(given['ignoreBreakers'] === true && { ignoreBreakers: true }),
  };
}

/**
 * The selection out of a ledger.
 * @throws Error for one that is not understood, of which more might be taken than was meant
 */
export function readStoredSelection(kept: unknown): Selection {
  for (const [name, value] of Object.entries(tableOf(kept))) {
    const isList = LISTS.some((one) => one === name) && isTexts(value);
    const isTime = TIMES.some((one) => one === name) && typeof value === 'number';
    const isTable = name === 'headers' && isTexts(Object.values(tableOf(value)));
    if (!isList && !isTime && !isTable) {
      throw new Error(`what was meant is not understood here: ${JSON.stringify(name)}`);
    }
  }
  return tableOf(kept) as Selection;
}

function tableOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
