/** As much of a CPU profile as is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      /** From 0. */
      readonly lineNumber: number;
    };
  }[];
  /** Of which node each sample is. */
  readonly samples: readonly number[];
  /** Microseconds from each sample to the one before. */
  readonly timeDeltas: readonly number[];
}

/** Time spent somewhere itself, not in what is called from there. */
export interface SelfTime {
  readonly where: string;
  readonly microseconds: number;
}

const IDLE = '(idle)';

/** Self time by function, the greatest first, without what the process waited. */
export function byFunction(profile: CpuProfile): SelfTime[] {
  return summed(profile, ({ functionName, url, lineNumber }) =>
    url === ''
      ? functionName
      : `${functionName || '(anonymous)'} ${shorten(url)}:${lineNumber + 1}`,
  );
}

/** Self time by lib, package, or part of Node. */
export function byOwner(profile: CpuProfile): SelfTime[] {
  return summed(profile, ({ functionName, url }) => (url === '' ? functionName : ownerOf(url)));
}

function summed(
  { nodes, samples, timeDeltas }: CpuProfile,
  nameOf: (frame: CpuProfile['nodes'][number]['callFrame']) => string,
): SelfTime[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const sums = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? IDLE;
    sums.set(name, (sums.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  sums.delete(IDLE);
  return [...sums]
    .map(([where, microseconds]) => ({ where, microseconds }))
    .sort((a, b) => b.microseconds - a.microseconds);
}

const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/;
const OWN = /\/((?:libs|services)\/[^/]+|bench)\//;

function ownerOf(url: string): string {
  if (url.startsWith('node:')) return `node:${/^node:(?:internal\/)?([\w-]+)/.exec(url)?.[1]}`;
  return PACKAGE.exec(url)?.[1] ?? OWN.exec(url)?.[1] ?? url;
}

function shorten(url: string): string {
  return url.replace(/^.*\/(?=(?:node_modules|libs|services|bench)\/)/, '');
}
