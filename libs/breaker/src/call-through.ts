import { CallTimeoutError, CircuitOpenError } from '@warren/contracts';
import type { BreakerPolicy } from './breaker-options.ts';
import type { Circuit, Permit } from './circuit.ts';
import { untilChange } from './until-change.ts';
import { verdictOn } from './verdict.ts';

/** What one call goes through. */
export interface CallOptions {
  readonly breaker: string;
  readonly key: string | undefined;
  readonly circuit: Circuit;
  readonly policy: Pick<BreakerPolicy, 'timeoutMs' | 'isFailure' | 'resetTimeoutMs'>;
  /** Of the run that makes the call. */
  readonly signal: AbortSignal;
  readonly onRefused: () => void;
}

const SHORTEST_WAIT_MS = 1_000;

/**
 * Makes one call, with a signal of its own, and counts what became of it. It resolves or rejects only once the call has
 * ended: whoever tries again never overlaps it.
 * @throws CircuitOpenError where the circuit lets nothing through, also for a failure that opened it; CallTimeoutError;
 * the signal's reason; else what the call threw
 */
export async function callThrough<Result>(
  call: (signal: AbortSignal) => Result | Promise<Result>,
  options: CallOptions,
): Promise<Result> {
  const permit = await enterInTurn(options);
  // The leave comes a moment later than it was got.
  if (options.signal.aborted) await permit.end('neutral');
  options.signal.throwIfAborted();
  const own = ownSignal(options);
  try {
    const result = await call(own.signal);
    await permit.end('success');
    return result;
  } catch (error) {
    throw await judge(error, own.signal, permit, options);
  } finally {
    own.end();
  }
}

async function enterInTurn(options: CallOptions): Promise<Permit> {
  const { circuit, signal, onRefused } = options;
  for (;;) {
    signal.throwIfAborted();
    const permit = circuit.enter();
    if (typeof permit === 'object') return permit;
    if (permit === 'open') {
      onRefused();
      throw openError(options);
    }
    await untilChange(circuit, signal);
  }
}

/** Follows the run's signal, and aborts by itself after the time for a call. */
function ownSignal({ breaker, policy: { timeoutMs }, signal }: CallOptions) {
  const controller = new AbortController();
  const follow = () => controller.abort(signal.reason);
  signal.addEventListener('abort', follow);
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => controller.abort(new CallTimeoutError(breaker, timeoutMs)), timeoutMs);
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', follow);
    },
  };
}

async function judge(
  error: unknown,
  signal: AbortSignal,
  permit: Permit,
  options: CallOptions,
): Promise<unknown> {
  // What a call throws after its abort says only that it stopped.
  const verdict = verdictOn(signal.aborted ? signal.reason : error, options.policy.isFailure);
  await permit.end(verdict);
  const thrown: unknown = signal.reason instanceof CallTimeoutError ? signal.reason : error;
  const isOpen = verdict === 'failure' && options.circuit.state === 'open';
  return isOpen ? openError(options, thrown) : thrown;
}

/** The error that says how long to wait: at least a moment, so that nothing spins while one call is tried. */
export function openError(
  { breaker, key, circuit, policy }: Pick<CallOptions, 'breaker' | 'key' | 'circuit' | 'policy'>,
  cause?: unknown,
): CircuitOpenError {
  const delayMs = Math.max(circuit.waitMs, Math.min(SHORTEST_WAIT_MS, policy.resetTimeoutMs));
  return new CircuitOpenError({ breaker, key, delayMs, cause });
}
