import type { Logger } from '@warren/telemetry';
import { withDeadline } from './deadline.ts';

export interface ShutdownOptions {
  readonly logger: Logger;
  /** Stops everything; must be safe at any moment of the start. */
  readonly stop: () => Promise<void>;
  /** After this time the process ends whatever `stop` does. */
  readonly limitMs: number;
  /** `process.exit`, but in tests. */
  readonly exit: (code: number) => void;
}

/**
 * One request to stop may arrive twice: from whoever signals the whole process group, and from the parent that passes
 * its own signal on. Nobody presses Ctrl-C twice in so short a time.
 */
const SAME_REQUEST_MS = 300;

export interface Shutdown {
  readonly begun: boolean;
  /** A signal asks to stop; a second one, but for an echo of the first, ends the process at once with code 1. */
  onSignal(signal: string): void;
  /** Something went wrong that nobody handled: one fatal line, then as `fail`. */
  onFatal(error: unknown, what: string): void;
  /** A bounded stop, code 1; the reason has been told. */
  fail(): void;
}

/** The one way in which a process ends: stop within a bound, then exit with 0, or with 1 if anything failed. */
export function createShutdown({ logger, stop, limitMs, exit }: ShutdownOptions): Shutdown {
  let begun = false;
  let signalledAtMs: number | undefined;
  let code = 0;

  const stopAndExit = async () => {
    try {
      await withDeadline('stopping', limitMs, stop());
      logger.info('stopped');
    } catch (error) {
      code = 1;
      logger.error({ err: error }, 'did not stop cleanly');
    }
    exit(code);
  };
  const begin = () => {
    if (begun) return;
    begun = true;
    void stopAndExit();
  };
  return {
    get begun() {
      return begun;
    },
    onSignal(signal) {
      if (signalledAtMs !== undefined) {
        if (performance.now() - signalledAtMs < SAME_REQUEST_MS) return;
        logger.warn({ signal }, 'second signal, exiting at once');
        exit(1);
        return;
      }
      signalledAtMs = performance.now();
      logger.info({ signal }, 'stopping');
      begin();
    },
    onFatal(error, what) {
      logger.fatal({ err: error }, what);
      this.fail();
    },
    fail() {
      code = 1;
      begin();
    },
  };
}
