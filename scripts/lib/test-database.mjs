import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { register } from 'tsx/esm/api';

register();
const { installPackages, mayInstallPackages } = await import(
  '../../libs/local-broker/src/index.ts'
);

const LOCAL_URL = 'postgres://postgres@127.0.0.1:5432/postgres';
const DEBIAN_SERVERS = '/usr/lib/postgresql';
const READY_WITHIN_MS = 60_000;
const POLL_MS = 50;

/** Ends the server when its standard input does: with its parent, however that ends. */
const LEASH = '"$@" <&- & server=$!; read -r _; kill -INT $server; wait $server';

/**
 * A PostgreSQL for the tests: the one in TEST_DATABASE_URL, else one on 127.0.0.1 that lets `postgres` in, else a private
 * one of an installed server, else, where that may be done, of Debian's package.
 * @throws an error that says what helps
 */
export async function obtainTestDatabase(env = process.env) {
  const given = env.TEST_DATABASE_URL;
  if (given) return { url: given, origin: 'TEST_DATABASE_URL', stop: async () => {} };
  if (await answers(LOCAL_URL)) {
    return { url: LOCAL_URL, origin: '127.0.0.1:5432', stop: async () => {} };
  }
  const programs = installedPrograms() ?? (await installPrograms(env));
  if (programs) return startPrivate(programs);
  throw new Error(
    'There is no PostgreSQL to test on: install the server (on Debian the package postgresql) or set TEST_DATABASE_URL.',
  );
}

async function answers(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  // What comes after a failed attempt is of no interest.
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The folder with the programs of the newest installed server. */
function installedPrograms() {
  const versions = existsSync(DEBIAN_SERVERS) ? readdirSync(DEBIAN_SERVERS) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  const folders = newestFirst.map((version) => join(DEBIAN_SERVERS, version, 'bin'));
  const onPath = (process.env.PATH ?? '').split(':');
  return [...folders, ...onPath].find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))),
  );
}

async function installPrograms(env) {
  if (!(await mayInstallPackages(env))) return undefined;
  console.log('Installing postgresql with apt-get');
  await installPackages(['postgresql']).catch((error) => console.log(error.message));
  return installedPrograms();
}

async function startPrivate(programs) {
  const folder = mkdtempSync(join(tmpdir(), 'warren-postgres-'));
  const user = serverUser();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const make = ['--pgdata', data, '--auth=trust', '--username=postgres', '--no-sync', '-E', 'UTF8'];
  execFileSync(join(programs, 'initdb'), make, { ...user, stdio: 'ignore', cwd: folder });
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off'];
  const options = ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
  const server = spawn('/bin/sh', ['-c', LEASH, 'sh', join(programs, 'postgres'), ...options], {
    ...user,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(server, 'exit');
  const stop = async () => {
    server.stdin.end();
    await ended;
    rmSync(folder, { recursive: true });
  };
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilReady(url, ended).catch(async (error) => {
    await stop();
    throw error;
  });
  return { url, origin: `a private PostgreSQL of ${programs}`, stop };
}

/** The server refuses to run as root; Debian's package brings a user for it. */
function serverUser() {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function untilReady(url, ended) {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const endsAtMs = performance.now() + READY_WITHIN_MS;
  while (!(await answers(url))) {
    if (isOver) throw new Error('the private PostgreSQL for the tests ended as it started');
    if (performance.now() > endsAtMs) {
      throw new Error(
        `the private PostgreSQL for the tests was not ready in ${READY_WITHIN_MS} ms`,
      );
    }
    await pause(POLL_MS);
  }
}
