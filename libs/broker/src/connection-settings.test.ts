import { ConfigInvalidError } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, type ConnectionSettings, resolveEndpoints } from './connection-settings.ts';

const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });

/** The one endpoint of a URL, its vhost decoded as amqplib decodes it. */
function endpoint(url: string, settings: Partial<ConnectionSettings> = {}) {
  const [only] = resolveEndpoints({ urls: [url], ...settings });
  if (!only) throw new Error('no endpoint');
  return { ...only, vhost: decodeURIComponent(only.vhost) };
}

function refusal(url: string, settings: Partial<ConnectionSettings> = {}): ConfigInvalidError {
  try {
    resolveEndpoints({ urls: [url], ...settings });
  } catch (error) {
    if (error instanceof ConfigInvalidError) return error;
    throw error;
  }
  throw new Error(`${url} was taken`);
}

describe('resolveEndpoints', () => {
  it('takes any character in user, password and vhost, percent-encoded', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (username, password, vhost) => {
        const [u, p, v] = [username, password, vhost].map(encodeURIComponent);
        expect(endpoint(`amqp://${u}:${p}@broker.example:5673/${v}`)).toMatchObject({
          hostname: 'broker.example',
          port: 5673,
          username,
          password,
          vhost,
        });
      }),
    );
  });

  it('takes any text given apart from the URL as it stands, and prefers it', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (username, password, vhost) => {
        const apart = { username, password, vhost };
        expect(endpoint('amqp://other:secret@broker/elsewhere', apart)).toMatchObject(apart);
      }),
    );
  });

  it.each(['50%', '%zz', '100%^', 'a=%b', 'e%20%', 'ä%', "!$&'()*+,;="])(
    'takes %j as a password that nobody encoded',
    (password) => {
      const expected = password.replaceAll('%20', ' ');
      expect(endpoint(`amqp://user:${password}@broker/`).password).toBe(expected);
    },
  );

  it.each([
    ['amqp://broker', '/'],
    ['amqp://broker/', '/'],
    ['amqp://broker/%2F', '/'],
    ['amqp://broker/%2f', '/'],
    ['amqp://broker?heartbeat=5', '/'],
    ['amqp://broker/jobs', 'jobs'],
    ['amqp://broker/jobs?heartbeat=5', 'jobs'],
    ['amqp://broker/%2Fjobs', '/jobs'],
    ['amqp://broker/a%20b', 'a b'],
    ['amqp://broker/.', '.'],
    ['amqp://broker/..', '..'],
    ['amqp://broker/%2E', '.'],
  ])('reads %s as vhost %s', (url, vhost) => {
    expect(endpoint(url).vhost).toBe(vhost);
  });

  it('fills in what a URL leaves out', () => {
    expect(endpoint(' amqp://broker\n')).toEqual({
      protocol: 'amqp',
      hostname: 'broker',
      port: 5672,
      username: 'guest',
      password: 'guest',
      vhost: '/',
      heartbeat: 10,
      frameMax: 131_072,
    });
    expect(endpoint('amqps://broker')).toMatchObject({ protocol: 'amqps', port: 5671 });
  });

  it('reads an IPv6 address without its brackets and writes it with them', () => {
    const ipv6 = endpoint('amqp://[::1]:5673');
    expect(ipv6).toMatchObject({ hostname: '::1', port: 5673 });
    expect(addressOf(ipv6)).toBe('[::1]:5673');
    expect(addressOf(endpoint('amqp://broker'))).toBe('broker:5672');
  });

  it('keeps the order of several hosts', () => {
    const urls = ['amqp://c', 'amqp://a', 'amqps://b:1'];
    expect(resolveEndpoints({ urls }).map(addressOf)).toEqual(['c:5672', 'a:5672', 'b:1']);
  });

  it('reads heartbeat and frameMax; a setting wins over the URL', () => {
    expect(endpoint('amqp://b?heartbeat=30&frameMax=8192')).toMatchObject({
      heartbeat: 30,
      frameMax: 8_192,
    });
    expect(endpoint('amqp://b?heartbeat=30', { heartbeatSeconds: 7 }).heartbeat).toBe(7);
  });

  it.each([0, 601, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses a heartbeat of %d seconds',
    (heartbeatSeconds) => {
      const error = refusal('amqp://b', { heartbeatSeconds });
      expect(error.setting).toBe('AMQP_HEARTBEAT_SECONDS');
    },
  );

  it.each([
    ['', 'is not a URL'],
    ['broker', 'is not a URL'],
    ['amqp://', 'names no host'],
    ['amqp:broker', 'names no host'],
    ['amqp:///jobs', 'names no host'],
    ['http://broker', 'expected amqp:// or amqps://'],
    ['amqp://user:pa/ss@broker', 'AMQP_PASSWORD'],
    ['amqp://user:12#ss@broker', 'AMQP_PASSWORD'],
    ['amqp://user:12?ss@broker', 'AMQP_PASSWORD'],
    ['amqp://broker?frameMax=8191', 'frameMax=8191'],
    ['amqp://broker?frameMax=4096', 'leave it out'],
    ['amqp://broker?frameMax=big', 'frameMax must be a whole number'],
    ['amqp://broker?heartbeat=-1', 'heartbeat must be a whole number'],
  ])('refuses %j, saying %j', (url, part) => {
    const error = refusal(url);
    expect(error.setting).toBe('AMQP_URL');
    expect(error.message).toContain(part);
  });

  it('refuses an empty list', () => {
    expect(() => resolveEndpoints({ urls: [] })).toThrow(/AMQP_URL/);
  });

  it('shows no password in an error, however wrong the URL is', () => {
    const password = fc.string({ unit: 'grapheme', minLength: 5, maxLength: 20 });
    const wrong = fc.constantFrom(
      (p: string) => `http://user:${p}@broker`,
      (p: string) => `amqp://user:${p}@broker?frameMax=1`,
      (p: string) => `amqp://user:${p}@broker?heartbeat=x`,
      (p: string) => `amqp://user:${p}@broker:port`,
      (p: string) => `amqp://user:${p}@`,
      (p: string) => `//user:${p}@broker`,
    );
    fc.assert(
      fc.property(password, wrong, fc.boolean(), (secret, write, isEncoded) => {
        const tag = `pw-${secret}`;
        const url = write(isEncoded ? encodeURIComponent(tag) : tag);
        let said = '';
        try {
          resolveEndpoints({ urls: [url], heartbeatSeconds: 0 });
        } catch (error) {
          said = (error as Error).message;
        }
        expect(said).toMatch(/^AMQP_(URL|HEARTBEAT_SECONDS): /);
        expect(said).not.toContain('pw-');
      }),
    );
  });
});
