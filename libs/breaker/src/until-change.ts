import type { Circuit } from './circuit.ts';

/** Waits until leave may be got that could not be got before, or the signal aborts. Never rejects. */
export async function untilChange(
  circuit: Pick<Circuit, 'onChange'>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      stopListening();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const stopListening = circuit.onChange(done);
    signal.addEventListener('abort', done);
  });
}
