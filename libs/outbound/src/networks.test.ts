import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ipv4Text } from './fixtures/ipv4-text.ts';
import { Networks } from './networks.ts';

it.each(['10.0.0.0/8', ' 127.0.0.1 , ::1', 'fd00::/8,2001:db8::1/128', '0.0.0.0/0', '::/0'])(
  'reads %j',
  (text) => {
    expect(Networks.parse(text)).toBeInstanceOf(Networks);
  },
);

it.each([
  ...['', ',', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/', '10.0.0.0/8/8', '::/129', '10.0.0/8'],
  ...['localhost', '10.0.0.0/8;::1', '0x7f.0.0.1', 'fe80::1%eth0', '10.0.0.0/8,', '*'],
])('refuses %j', (text) => {
  expect(Networks.parse(text)).toBeUndefined();
});

it('has the addresses that share the first bits of one of them', () => {
  const address = fc.integer({ min: 0, max: 0xffffffff });
  const bits = fc.integer({ min: 0, max: 32 });
  fc.assert(
    fc.property(address, bits, address, (net, length, other) => {
      const networks = Networks.parse(`${ipv4Text(net)}/${length}`);
      const share = 2 ** (32 - length);
      const isIn = Math.floor(net / share) === Math.floor(other / share);
      expect(networks?.has(ipv4Text(other))).toBe(isIn);
      expect(networks?.has(ipv4Text(net))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it('has no names', () => {
  expect(Networks.parse('0.0.0.0/0,::/0')?.has('localhost')).toBe(false);
});
