import { PayloadInvalidError } from './errors.ts';
import type { PayloadDefinition } from './payload-definition.ts';

/**
 * Brings a payload from the version that it was published with to the definition's, step by step.
 * A version above the definition's own is not handled here: only a newer program can read it.
 * @throws PayloadInvalidError when a step throws, or does not answer at once
 */
export function upgradePayload(
  definition: Pick<PayloadDefinition, 'type' | 'version' | 'upgrades'>,
  payload: unknown,
  fromVersion: number,
): unknown {
  let current = payload;
  for (let version = fromVersion; version < definition.version; version += 1) {
    current = takeStep(definition, current, version);
  }
  return current;
}

function takeStep(
  { type, upgrades }: Pick<PayloadDefinition, 'type' | 'upgrades'>,
  payload: unknown,
  version: number,
): unknown {
  let problem: string;
  try {
    const upgraded = upgrades[version - 1]?.(payload);
    if (!(upgraded instanceof Promise)) return upgraded;
    // Nobody waits for it: when it fails it must not take the process with it.
    upgraded.catch(() => {});
    problem = 'a step must answer at once, this one gave a promise';
  } catch (error) {
    problem = error instanceof Error ? error.message : 'it threw what is no error';
  }
  const message = `upgrade from version ${version} failed: ${problem}`;
  throw new PayloadInvalidError(type, [{ path: '', message }]);
}
