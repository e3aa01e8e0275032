import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyAddress, publicAddresses } from './address-rule.ts';
import { ipv4Text } from './fixtures/ipv4-text.ts';
import { Networks } from './networks.ts';

const isPublic = publicAddresses();

it.each([
  ...['1.1.1.1', '93.184.216.34', '172.15.0.1', '172.32.0.1', '192.167.1.1', '168.63.129.17'],
  ...['2606:4700::1111', '2a00:1450:4001::200e'],
])('%s is public', (address) => {
  expect(isPublic(address)).toBe(true);
});

it.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.9.9.9', '169.254.169.254'],
  ...['172.16.0.1', '172.31.255.255', '192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ...['192.0.0.192', '100.100.100.200', '168.63.129.16', '192.88.99.1', '203.0.113.9', '239.1.1.1'],
  ...['::', '::1', '::ffff:10.0.0.1', '::ffff:1.1.1.1', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...['64:ff9b:1::a00:1', 'fc00::1', 'fd12::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0'],
  ...['fec0::1', 'ff02::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1'],
  ...['', 'localhost', '2130706433', '0x7f.1'],
])('%s is not', (address) => {
  expect(isPublic(address)).toBe(false);
});

/** The same table as arithmetic, from the registry of RFC 6890. */
const SPECIAL: readonly [number, number][] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 4],
  [0xf0000000, 4],
  [0xa83f8110, 32],
];
const isIn = (address: number, [net, bits]: readonly [number, number]) =>
  Math.floor(address / 2 ** (32 - bits)) === Math.floor(net / 2 ** (32 - bits));

const anyIpv4 = fc.integer({ min: 0, max: 0xffffffff });
const specialIpv4 = fc
  .tuple(fc.constantFrom(...SPECIAL), anyIpv4)
  .map(([[net, bits], address]) => net + (address % 2 ** (32 - bits)));

describe('the rule for public addresses', () => {
  it('agrees with the registry for every IPv4 address', () => {
    fc.assert(
      fc.property(fc.oneof(anyIpv4, specialIpv4), (address) => {
        expect(isPublic(ipv4Text(address))).toBe(!SPECIAL.some((net) => isIn(address, net)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes no IPv4 address that is wrapped in one of IPv6, and nothing outside of 2000::/3', () => {
    const wrapped = anyIpv4.map((address) => {
      const hex = address.toString(16).padStart(8, '0');
      const [high, low] = [hex.slice(0, 4), hex.slice(4)];
      return [
        ...[`::ffff:${ipv4Text(address)}`, `::ffff:${high}:${low}`, `::${ipv4Text(address)}`],
        ...[`64:ff9b::${high}:${low}`, `2002:${high}:${low}::1`, `2001:0:${high}:${low}::1`],
      ];
    });
    const local = fc
      .tuple(
        fc.integer({ min: 0, max: 0xffff }).filter((first) => first >> 13 !== 1),
        fc.integer({ min: 0, max: 0xffff }),
      )
      .map(([first, last]) => [`${first.toString(16)}::${last.toString(16)}`]);
    fc.assert(
      fc.property(fc.oneof(wrapped, local), (addresses) => {
        expect(addresses.filter(isPublic)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('takes besides what is allowed, and nothing more', () => {
    const allowed = Networks.parse('10.1.0.0/16, fd00::/8');
    const mayAsk = publicAddresses(allowed);
    const seen = ['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '1.1.1.1', '2606:4700::1111'];
    expect(seen.filter(mayAsk)).toEqual(seen);
    expect(['10.2.0.1', '127.0.0.1', 'fe80::1', '::1', '', '10.1'].filter(mayAsk)).toEqual([]);
  });
});

it('any address is one, and a name is none', () => {
  expect(['127.0.0.1', '::1'].filter(anyAddress)).toHaveLength(2);
  expect(['localhost', ''].filter(anyAddress)).toEqual([]);
});
