import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { eventually, unusedPort } from '@warren/testing';
import type { PrometheusTools } from './prometheus-tools.ts';

/** One series of an answer to a query. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [atSeconds: number, value: string];
}

export interface FiringAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: string;
}

/** A Prometheus that belongs to a test: loopback only, with a port and data of its own. */
export interface PrivatePrometheus {
  /** The series that an expression has now. @throws with what Prometheus says about a wrong one */
  query(expr: string): Promise<readonly Sample[]>;
  alerts(): Promise<readonly FiringAlert[]>;
  /** Kills it and removes its data. */
  stop(): Promise<void>;
}

/** Starts it with this configuration and these rules (`rules.yml` in its folder), and waits until it answers. */
export async function startPrometheus(
  { prometheus }: PrometheusTools,
  { config, rules }: { readonly config: string; readonly rules: string },
): Promise<PrivatePrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-prometheus-'));
  const port = await unusedPort();
  await writeFile(join(folder, 'prometheus.yml'), config);
  await writeFile(join(folder, 'rules.yml'), rules);
  const child = spawn('sh', ['-c', WHILE_WATCHED, prometheus, ...argumentsFor(folder, port)], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(-4_000);
  });
  const stop = () => end(child, folder);
  const api = `http://127.0.0.1:${port}`;
  try {
    await eventually('Prometheus is ready', async () => (await fetch(`${api}/-/ready`)).ok);
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}\n${said}`);
  }
  return {
    query: async (expr) =>
      (await ask<{ result: Sample[] }>(`${api}/api/v1/query`, { query: expr })).result,
    alerts: async () => (await ask<{ alerts: FiringAlert[] }>(`${api}/api/v1/alerts`)).alerts,
    stop,
  };
}

/** Runs the command `$0 $@` until standard input ends: then the test wants it to, or was killed itself. */
const WHILE_WATCHED = '"$0" "$@" & cat >/dev/null; kill -9 $!; wait';

const argumentsFor = (folder: string, port: number): string[] => [
  `--config.file=${join(folder, 'prometheus.yml')}`,
  `--storage.tsdb.path=${join(folder, 'data')}`,
  `--web.listen-address=127.0.0.1:${port}`,
  '--log.level=warn',
];

async function end(
  child: ChildProcessByStdio<Writable, null, Readable>,
  folder: string,
): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.stdin.end();
    await exited;
  }
  await rm(folder, { recursive: true, force: true });
}

async function ask<Data>(url: string, form: Record<string, string> = {}): Promise<Data> {
  const response = await fetch(`${url}?${new URLSearchParams(form)}`);
  const answer = (await response.json()) as { status: string; error?: string; data: Data };
  if (answer.status !== 'success') throw new Error(`${form['query']}: ${answer.error}`);
  return answer.data;
}

/** A file of the repository as text. */
export const repositoryFile = (path: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../..', path), 'utf8');
