import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AddressRule } from './address-rule.ts';

/** Finds all addresses of a name, as `lookup` of node:dns does. */
export type Resolve = (
  host: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** A name stands for an address that may not be asked. Says neither. */
export class ForbiddenAddressError extends Error {
  constructor() {
    super('the address may not be asked');
    this.name = 'ForbiddenAddressError';
  }
}

const resolveByDns: Resolve = (host, done) => lookup(host, { all: true }, done);

/**
 * A `lookup` for sockets that fails with ForbiddenAddressError unless every address of a name may be asked. The socket
 * connects to the very addresses that were looked at, so a name cannot point elsewhere a moment later. Sockets do not look up
 * what is an address already: see `targetProblem`.
 */
export function guardedLookup(
  mayAsk: AddressRule,
  resolve: Resolve = resolveByDns,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error('no address'), '', 0);
      if (!addresses.every(({ address }) => mayAsk(address))) {
        return callback(new ForbiddenAddressError(), '', 0);
      }
      if (options.all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}
