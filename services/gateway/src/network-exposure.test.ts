import { ConfigInvalidError } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { checkExposure } from './network-exposure.ts';

const NEITHER = { hasKeys: false, allowUnauthenticated: false };

describe('checkExposure', () => {
  it.each(['127.0.0.1', '127.8.9.1', 'localhost', '::1'])('lets %s through', (host) => {
    expect(checkExposure(host, NEITHER)).toBe(false);
    expect(checkExposure(host, { ...NEITHER, allowUnauthenticated: true })).toBe(false);
  });

  it.each(['0.0.0.0', '::', '192.168.0.4', 'example.org', '127.evil.example', '::ffff:1.2.3.4'])(
    'refuses %s, naming HOST',
    (host) => {
      expect(() => checkExposure(host, NEITHER)).toThrow(ConfigInvalidError);
      expect(() => checkExposure(host, NEITHER)).toThrow(
        /^HOST: .*WARREN_API_KEYS.*WARREN_ALLOW_UNAUTHENTICATED=1/,
      );
    },
  );

  it('lets every host through where callers need keys', () => {
    expect(checkExposure('0.0.0.0', { ...NEITHER, hasKeys: true })).toBe(false);
    expect(checkExposure('0.0.0.0', { hasKeys: true, allowUnauthenticated: true })).toBe(false);
  });

  it('lets every host through where that is said to be meant, and says that strangers may call', () => {
    expect(checkExposure('0.0.0.0', { ...NEITHER, allowUnauthenticated: true })).toBe(true);
  });
});
