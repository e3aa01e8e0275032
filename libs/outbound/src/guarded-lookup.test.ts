import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { expect, it } from 'vitest';
import { publicAddresses } from './address-rule.ts';
import { ForbiddenAddressError, guardedLookup, type Resolve } from './guarded-lookup.ts';

const resolvesTo =
  (...addresses: string[]): Resolve =>
  (_host, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );

/** What a socket is told: all addresses, or the first one. */
function look(resolve: Resolve | undefined, host = 'a.test', all = true) {
  return new Promise<string | LookupAddress[]>((done, fail) => {
    guardedLookup(publicAddresses(), resolve)(host, { all }, (error, address) => {
      if (error) fail(error);
      else done(address);
    });
  });
}

it('hands on the addresses that it looked at', async () => {
  const resolve = resolvesTo('1.1.1.1', '2606:4700::1111');
  expect(await look(resolve)).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
  expect(await look(resolve, 'a.test', false)).toBe('1.1.1.1');
});

it.each([
  ['all are private', ['10.0.0.1']],
  ['the first one is', ['127.0.0.1', '1.1.1.1']],
  ['the last one is', ['1.1.1.1', '2606:4700::1111', '::1']],
  ['one is an IPv4 address within IPv6', ['1.1.1.1', '::ffff:10.0.0.1']],
])('refuses a name of which %s', async (_, addresses) => {
  await expect(look(resolvesTo(...addresses))).rejects.toThrow(ForbiddenAddressError);
  await expect(look(resolvesTo(...addresses), 'a.test', false)).rejects.toThrow(
    ForbiddenAddressError,
  );
});

it('asks anew each time, so that a name that has moved is seen', async () => {
  const answers = ['1.1.1.1', '169.254.169.254'];
  const resolve: Resolve = (_host, done) =>
    done(null, [{ address: answers.shift() ?? '', family: 4 }]);
  expect(await look(resolve, 'a.test', false)).toBe('1.1.1.1');
  await expect(look(resolve, 'a.test', false)).rejects.toThrow(ForbiddenAddressError);
});

it('tells of a name that is unknown, or has no address', async () => {
  await expect(look((_, done) => done(new Error('ENOTFOUND'), []))).rejects.toThrow('ENOTFOUND');
  await expect(look(resolvesTo())).rejects.toThrow('no address');
});

it('asks the system where nothing else is given', async () => {
  await expect(look(undefined, 'localhost')).rejects.toThrow(ForbiddenAddressError);
});
