import { describe, expect, it } from 'vitest';
import type { DoctorFacts } from './facts.ts';
import { only, troubles } from './troubles.fixture.ts';

describe('for a production', () => {
  it.each<[string, Partial<DoctorFacts>, string]>([
    ['guest', { username: 'guest' }, 'user problem: the user is guest'],
    [
      'the default virtual host',
      { vhost: '/' },
      'user warning: the virtual host is the default one',
    ],
    [
      'an administrator',
      { tags: { value: ['administrator'] } },
      'user warning: warren is an admin',
    ],
    [
      'no TLS',
      {
        hosts: [
          { hostname: 'mq', isTls: false },
          { hostname: 'n2', isTls: true },
        ],
      },
      'tls problem: passwords and jobs cross the network unencrypted to mq',
    ],
    [
      'one host of three',
      { hosts: [{ hostname: 'n1', isTls: true }] },
      'cluster warning: AMQP_URL names one',
    ],
  ])('%s', (_, changes, expected) => {
    expect(only(changes)).toContain(expected);
  });

  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])('%s needs no TLS', (hostname) => {
    const hosts = [
      { hostname, isTls: false },
      { hostname: 'n2', isTls: true },
    ];
    expect(troubles({ hosts })).toEqual([]);
  });

  it('lists many names shortly', () => {
    const hosts = 'abcdefg'.split('').map((hostname) => ({ hostname, isTls: false }));
    expect(only({ hosts })).toContain('a, b, c, d, e and 2 more');
  });
});
