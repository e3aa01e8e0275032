import { isIP } from 'node:net';
import type { AddressRule } from './address-rule.ts';

/** Why a URL may not be asked: neither http nor https, a user or a password in it, an address that is not allowed. */
export type TargetProblem = 'protocol' | 'credentials' | 'address';

/**
 * Looks at what is written in a URL; undefined where nothing speaks against it. An address counts in whatever form it was
 * written: a URL knows only one. Names are looked at once they are resolved: see `guardedLookup`.
 */
export function targetProblem(url: URL, mayAsk: AddressRule): TargetProblem | undefined {
  const { protocol, username, password, hostname } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return 'protocol';
  if (username !== '' || password !== '') return 'credentials';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) !== 0 && !mayAsk(host) ? 'address' : undefined;
}
