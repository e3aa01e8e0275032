const EVERY_MS = 20;
const EARLY_SHARE = 1 / 3;

/** What a process held of the machine's memory while it worked. */
export interface MemoryFigures {
  /** The most, over what it held at the start. */
  readonly growthMb: number;
  /** The most after the first third of the time, as a multiple of the most within it: about 1 where memory is flat. */
  readonly lateOverEarly: number;
}

/** Watches what this process holds of the machine's memory, until the returned function is called. */
export function watchMemory(): () => MemoryFigures {
  const samples = [process.memoryUsage.rss()];
  const look = () => void samples.push(process.memoryUsage.rss());
  const timer = setInterval(look, EVERY_MS);
  return () => {
    clearInterval(timer);
    look();
    return memoryFigures(samples);
  };
}

/** @param samples bytes, at even times */
export function memoryFigures(samples: readonly number[]): MemoryFigures {
  const middle = Math.ceil(samples.length * EARLY_SHARE);
  const most = (of: readonly number[]) => of.reduce((one, other) => Math.max(one, other), 0);
  const [early, late] = [most(samples.slice(0, middle)), most(samples.slice(middle))];
  return {
    growthMb: (Math.max(early, late) - (samples[0] ?? 0)) / 1_048_576,
    lateOverEarly: late / early,
  };
}
