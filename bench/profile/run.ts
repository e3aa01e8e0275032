import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { alone, NotAloneError } from '../alone.ts';
import { optionsOf } from '../command-line.ts';
import { type ProfileOptions, readProfileOptions, USAGE } from './command-line.ts';
import type { AllocationProfile, CpuProfile } from './profiles.ts';
import { bytesByFunction, bytesByOwner } from './read-allocations.ts';
import { timeByFunction, timeByOwner } from './read-cpu.ts';
import type { Recording } from './recorder.ts';
import { type Share, toLines } from './shares.ts';
import type { Profiled } from './subject.ts';
import { takeProfiles } from './take-profiles.ts';

/** `npm run bench:profile`: where the time of a job goes, and what makes its objects. */
const FOLDER = fileURLToPath(new URL('../results/profiles/', import.meta.url));
const FAILED = 1;

const options = optionsOf({
  name: 'bench:profile',
  usage: USAGE,
  read: (args) => readProfileOptions(args, process.env),
});
try {
  await alone(options.url, 'bench:profile', () => profile(options));
} catch (error) {
  if (!(error instanceof NotAloneError)) throw error;
  process.stderr.write(`bench:profile: ${error.message}\n`);
  process.exitCode = FAILED;
}

async function profile(options: ProfileOptions): Promise<void> {
  for await (const profiled of takeProfiles(options, FOLDER)) print(profiled, options.top);
}

function print({ subject, recording, count }: Profiled, top: number): void {
  const { unit, byOwner, byFunction } = read(recording);
  say(`\n${subject}, ${unit} per job by owner (${count} jobs; ${recording.path})`);
  for (const line of toLines(byOwner, count, top)) say(line);
  say(`\n${subject}, ${unit} per job by function`);
  for (const line of toLines(byFunction, count, top)) say(line);
}

interface Tables {
  readonly unit: string;
  readonly byOwner: readonly Share[];
  readonly byFunction: readonly Share[];
}

function read({ kind, path }: Recording): Tables {
  const text = readFileSync(path, 'utf8');
  if (kind === 'cpu') {
    const taken = JSON.parse(text) as CpuProfile;
    return {
      unit: 'microseconds',
      byOwner: timeByOwner(taken),
      byFunction: timeByFunction(taken),
    };
  }
  const taken = JSON.parse(text) as AllocationProfile;
  return { unit: 'bytes', byOwner: bytesByOwner(taken), byFunction: bytesByFunction(taken) };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
