/**
 * Asks the service of this container whether it is worth keeping: exit code 0 for yes, 1 for no or no answer.
 * Reads the service's own OPS_PORT and OPS_HOST.
 */

const TIMEOUT_MS = 4_000;

const { OPS_PORT: port, OPS_HOST: host = '127.0.0.1' } = process.env;
const reachable = ['', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
const address = reachable.includes(':') ? `[${reachable}]` : reachable;

try {
  if (!port) throw new Error('OPS_PORT is not set');
  const url = `http://${address}:${port}/healthz`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  console.log(`${response.status} ${await response.text()}`);
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.log(error.cause?.message ?? error.message);
  process.exitCode = 1;
}
