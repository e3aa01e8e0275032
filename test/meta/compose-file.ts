import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const ROOT = join(import.meta.dirname, '../..');

/** What the tests look at of one service in docker-compose.yml. */
export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly deploy?: {
    readonly resources: { readonly limits: { readonly cpus: string; readonly memory: string } };
  };
  readonly ulimits?: {
    readonly nofile: { readonly soft: number; readonly hard: number };
  };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly stop_grace_period?: string;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

export const composeText = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

/** docker-compose.yml with these variables filled in, as Compose does it. @throws for a required one that is not set */
export function composeFile(env: Readonly<Record<string, string>>): ComposeFile {
  return parse(interpolate(composeText, env), { merge: true }) as ComposeFile;
}

/** The variables that a text asks for. */
export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))];
}

/** The variables that docker-compose.yml does not start without. */
export function requiredVariables(): string[] {
  const required = [...composeText.matchAll(VARIABLE)].filter(([, , kind]) => kind === '?');
  return [...new Set(required.map(([, name = '']) => name))];
}

const VARIABLE = /\$\{([A-Z_]+):([-?])([^}]*)\}/g;

function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(VARIABLE, (_, name: string, kind: string, rest: string) => {
    const value = env[name];
    if (value) return value;
    if (kind === '?') throw new Error(`${name}: ${rest}`);
    return rest;
  });
}
