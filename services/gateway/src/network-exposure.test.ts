import { ConfigInvalidError } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { checkExposure } from './network-exposure.ts';

describe('checkExposure', () => {
  it.each(['127.0.0.1', '127.8.9.1', 'localhost', '::1'])('lets %s through', (host) => {
    expect(() => checkExposure(host, false)).not.toThrow();
  });

  it.each(['0.0.0.0', '::', '192.168.0.4', 'example.org', '127.evil.example', '::ffff:1.2.3.4'])(
    'refuses %s, naming HOST',
    (host) => {
      expect(() => checkExposure(host, false)).toThrow(ConfigInvalidError);
      expect(() => checkExposure(host, false)).toThrow(/^HOST: .*WARREN_ALLOW_UNAUTHENTICATED=1/);
    },
  );

  it('lets every host through where that is said to be meant', () => {
    expect(() => checkExposure('0.0.0.0', true)).not.toThrow();
  });
});
