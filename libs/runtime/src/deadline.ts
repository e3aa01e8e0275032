import { WarrenError } from '@warren/contracts';

/** A phase of a stop did not end in its time; what it left behind is cut off with the process. */
export class StopTimeoutError extends WarrenError {
  constructor(phase: string, limitMs: number) {
    super('INTERNAL', `${phase} did not end within ${limitMs} ms`);
  }
}

/**
 * Settles as `work` does, or rejects once `limitMs` have passed.
 * @throws StopTimeoutError naming `phase`
 */
export async function withDeadline<Result>(
  phase: string,
  limitMs: number,
  work: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StopTimeoutError(phase, limitMs)), limitMs);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
