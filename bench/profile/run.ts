import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { consumeApart } from '../apart/consume-apart.ts';
import { endToEndApart } from '../apart/end-to-end-apart.ts';
import { payload } from '../payload.ts';
import { amqplibByHand, warren } from '../systems/own-systems.ts';
import { byFunction, byOwner, type CpuProfile, type SelfTime } from './read-profile.ts';

/**
 * Where the time of a job goes: profiles publisher and worker, in a process each, and prints their self time per job. The
 * profiles are kept in `bench/results/profiles`. `--drain` profiles the worker alone, on a full queue. `--bare` profiles
 * hand-written amqplib, with `--batched` acks if that is said, `--no-history` leaves it off.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    concurrency: { type: 'string', default: '10' },
    top: { type: 'string', default: '25' },
    drain: { type: 'boolean', default: false },
    bare: { type: 'boolean', default: false },
    batched: { type: 'boolean', default: false },
    'no-history': { type: 'boolean', default: false },
    url: {
      type: 'string',
      default: process.env['AMQP_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672',
    },
  },
});

function wholeNumber(option: 'count' | 'concurrency' | 'top'): number {
  const number = Number(values[option]);
  if (Number.isInteger(number) && number > 0) return number;
  throw new TypeError(`--${option}: expected a whole number from 1, got ${values[option]}`);
}

const NAMESPACE = 'benchprofile';
const [count, concurrency, top] = [
  wholeNumber('count'),
  wholeNumber('concurrency'),
  wholeNumber('top'),
];
const folder = fileURLToPath(new URL('../results/profiles/', import.meta.url));
const profiles = {
  publisher: `${folder}publisher.cpuprofile`,
  worker: `${folder}worker.cpuprofile`,
};

const system = values.bare
  ? amqplibByHand(values.url, NAMESPACE, values.batched ? 'batched acks' : 'single acks')
  : warren(values.url, NAMESPACE, { history: !values['no-history'] });
const load = { count, concurrency, payload };
const { rate = 0 } = values.drain
  ? await consumeApart(system, load, profiles.worker)
  : await endToEndApart(system, load, profiles);
process.stdout.write(`${system.name}: ${Math.round(rate)} jobs/s while profiled\n`);
for (const [role, path] of Object.entries(profiles)) {
  if (values.drain && role === 'publisher') continue;
  const profile = JSON.parse(readFileSync(path, 'utf8')) as CpuProfile;
  process.stdout.write(`\n${role}, microseconds per job by owner (${path})\n`);
  print(byOwner(profile).slice(0, top));
  process.stdout.write(`\n${role}, by function\n`);
  print(byFunction(profile).slice(0, top));
}

function print(times: readonly SelfTime[]): void {
  for (const { where, microseconds } of times) {
    process.stdout.write(`${(microseconds / count).toFixed(2).padStart(8)}  ${where}\n`);
  }
}
