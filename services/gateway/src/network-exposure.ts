import { isIPv4 } from 'node:net';
import { ConfigInvalidError } from '@warren/contracts';

/**
 * Without keys, whoever reaches the gateway can publish: it listens on loopback unless somebody says that this is meant.
 * @returns whether strangers may reach it all the same
 * @throws ConfigInvalidError naming HOST
 */
export function checkExposure(
  host: string,
  { hasKeys, allowUnauthenticated }: { hasKeys: boolean; allowUnauthenticated: boolean },
): boolean {
  if (hasKeys || isLoopback(host)) return false;
  if (allowUnauthenticated) return true;
  throw new ConfigInvalidError(
    'HOST',
    `${host} is reachable from other machines and the gateway does not authenticate callers; set WARREN_API_KEYS, use a ` +
      'loopback address, or set WARREN_ALLOW_UNAUTHENTICATED=1 where the network itself keeps strangers out',
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
