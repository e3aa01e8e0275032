import { isIP } from 'node:net';
import { Networks } from './networks.ts';

/** Whether an IP address may be asked. */
export type AddressRule = (address: string) => boolean;

/** IPv4 that is no public host's: RFC 6890 and its registry, with multicast and the reserved class E. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // The metadata of most clouds among it.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's platform, as its machines see it: a public address by its form only.
  '168.63.129.16',
];

/** All local addresses of IPv6 lie outside, and so do those that stand for IPv4: mapped, compatible, NAT64. */
const GLOBAL_V6 = '2000::/3';

/** Of the global ones, what stands for something else: tunnels to IPv4 (Teredo, 6to4), documentation. */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const notPublic = networks([...NOT_PUBLIC_V4, ...NOT_PUBLIC_V6]);
const globalV6 = networks([GLOBAL_V6]);

/** Every address there is. */
export const anyAddress: AddressRule = (address) => isIP(address) !== 0;

/** Addresses that anybody on the Internet may ask, and what is in the networks that are allowed besides. */
export function publicAddresses(allowed?: Networks): AddressRule {
  return (address) => isPublic(address) || (allowed?.has(address) ?? false);
}

function isPublic(address: string): boolean {
  const version = isIP(address);
  if (version === 0 || notPublic.has(address)) return false;
  return version === 4 || globalV6.has(address);
}

function networks(list: readonly string[]): Networks {
  const known = Networks.parse(list.join(','));
  if (!known) throw new TypeError('a network of the table is none');
  return known;
}
