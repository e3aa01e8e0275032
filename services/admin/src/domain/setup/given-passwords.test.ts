import { buildTopology } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import { passwordsOfUsers, readPasswords } from './given-passwords.ts';
import { planSetup } from './setup-plan.ts';

describe('passwords that are given', () => {
  it('are read by service, and may hold what is neither a comma nor white space', () => {
    expect(readPasswords('gateway=a=b$/c, email=d')).toEqual(
      new Map([
        ['gateway', 'a=b$/c'],
        ['email', 'd'],
      ]),
    );
  });

  it.each(['', 'gateway', 'gateway=', '=a', 'gateway=a,', 'gateway=a,gateway=b', 'gateway=a b'])(
    'are not read from "%s"',
    (value) => {
      expect(readPasswords(value)).toBeUndefined();
    },
  );

  it('are for users of the installation, and no other', () => {
    const topology = buildTopology({ namespace: 'shop', jobTypes: ['a.b'] });
    const plan = planSetup(topology, { vhost: '/', version: undefined });
    expect(passwordsOfUsers(new Map([['a', 'secret']]), plan)).toEqual(
      new Map([['shop-a', 'secret']]),
    );
    expect(() => passwordsOfUsers(new Map([['b', 'secret']]), plan)).toThrow(
      /^WARREN_USER_PASSWORDS: there is no service b; there are gateway, a, operator$/,
    );
  });
});
