import { mkdir, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { dirname } from 'node:path';
import type { AllocationProfile, CpuProfile } from './profiles.ts';
import { toSourceLines } from './source-lines.ts';

/** What is recorded of a process: what it spends its time with, or what makes objects. */
export type ProfileKind = 'cpu' | 'allocations';

/** A profile to be taken, and the file that it is to be in. */
export interface Recording {
  readonly kind: ProfileKind;
  /** Ends in `.cpuprofile` or `.heapprofile`: Chrome's developer tools go by that. */
  readonly path: string;
  /** Whether V8 compiles functions into their callers, as it does by itself: then their callers are told instead of them. */
  readonly inlining: boolean;
}

/** What Node is to be started with where a recording is to be taken. */
export function nodeFlagsOf({ inlining }: Recording): string[] {
  return inlining ? [] : ['--no-turbo-inlining'];
}

/** Ends a profile and writes it. */
export type EndRecording = () => Promise<void>;

/** How often it looks what is running. */
const INTERVAL_US = 200;

/** One object in so many bytes is looked at, on average. */
const INTERVAL_BYTES = 16_384;

/** Records this process, into a file that Chrome's developer tools open. */
export async function startRecording({ kind, path }: Recording): Promise<EndRecording> {
  const session = new Session();
  session.connect();
  const end = await (kind === 'cpu' ? startCpu(session) : startAllocations(session));
  return async () => {
    const profile = await end();
    session.disconnect();
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(profile));
  };
}

async function startCpu(session: Session): Promise<() => Promise<CpuProfile>> {
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    for (const node of profile.nodes) node.callFrame = toSourceLines(node.callFrame);
    return profile as CpuProfile;
  };
}

/** All that is made, also what is gone by the end: most of what a job needs is. */
async function startAllocations(session: Session): Promise<() => Promise<AllocationProfile>> {
  await session.post('HeapProfiler.enable');
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: INTERVAL_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  return async () => {
    const { profile } = await session.post('HeapProfiler.stopSampling');
    const waiting = [profile.head];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      node.callFrame = toSourceLines(node.callFrame);
      waiting.push(...node.children);
    }
    return profile;
  };
}
