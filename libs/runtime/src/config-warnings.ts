import { closestTo } from './closest.ts';
import type { Environment } from './config.ts';
import type { ConfigDefinition } from './setting.ts';

const PREFIX = 'WARREN_';
/** Settings of some process of an installation: one environment often serves all of them. */
const KNOWN_ELSEWHERE = [
  'WARREN_NAMESPACE',
  'WARREN_DATA_DIR',
  'WARREN_API_KEYS',
  'WARREN_API_KEYS_FILE',
  'WARREN_API_KEY_RATE',
  'WARREN_INSTALL',
  'WARREN_MANAGEMENT_URL',
  'WARREN_USER_PASSWORDS',
];

/**
 * A line for each variable that looks meant for Warren and is read by nobody, with the name that was
 * probably meant. Values are not shown.
 */
export function configWarnings(definition: ConfigDefinition, env: Environment): string[] {
  const known = new Set([...Object.keys(definition), ...KNOWN_ELSEWHERE]);
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name))
    .sort()
    .map((name) => `${name} is not a setting and was ignored${suggestion(name, [...known])}`);
}

function suggestion(name: string, known: readonly string[]): string {
  const closest = closestTo(name, known, 3);
  return closest === undefined ? '' : `; did you mean ${closest}?`;
}
