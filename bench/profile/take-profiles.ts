import type { ProfileOptions, Subject } from './command-line.ts';
import { profileBulk, profileGateway } from './profile-gateway.ts';
import { profileParts } from './profile-parts.ts';
import { profileTracker } from './profile-tracker.ts';
import type { ProfileKind, Recording } from './recorder.ts';
import type { Profiled, Profiling } from './subject.ts';

const SUFFIX: Readonly<Record<ProfileKind, string>> = {
  cpu: 'cpuprofile',
  allocations: 'heapprofile',
};

/** What is a process of a service of its own, and how it is profiled. */
const SERVICES = { tracker: profileTracker, gateway: profileGateway, bulk: profileBulk };
type Service = keyof typeof SERVICES;

/** Takes the profiles that are asked for, one after the other; publisher and worker run, and are recorded, together. */
export async function* takeProfiles(
  options: ProfileOptions,
  folder: string,
): AsyncGenerator<Profiled, void, undefined> {
  for (const kind of options.kinds) {
    const of = (subject: Subject): Profiled => ({
      subject,
      recording: { kind, path: `${folder}${subject}.${SUFFIX[kind]}`, inlining: options.inlining },
      count: options.count,
    });
    yield* await parts(options, of);
    for (const [subject, profile] of Object.entries(SERVICES) as [Service, Profile][]) {
      if (!options.subjects.includes(subject)) continue;
      const { recording } = of(subject);
      yield { subject, recording, count: await profile({ options, recording }) };
    }
  }
}

type Profile = (profiling: Profiling) => Promise<number>;

async function parts(
  options: ProfileOptions,
  of: (subject: Subject) => Profiled,
): Promise<Profiled[]> {
  const names = (['publisher', 'worker'] as const).filter((name) =>
    options.subjects.includes(name),
  );
  if (names.length === 0) return [];
  const profiled = names.map((name) => of(name));
  const recordings: { publisher?: Recording; worker?: Recording } = {};
  for (const name of names) recordings[name] = of(name).recording;
  await profileParts(options, recordings);
  return profiled;
}
