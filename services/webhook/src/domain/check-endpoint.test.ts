import { NonRetryableError } from '@warren/contracts';
import { Networks, publicAddresses } from '@warren/outbound';
import { describe, expect, it } from 'vitest';
import { checkEndpoint } from './check-endpoint.ts';

const rules = { mayAsk: publicAddresses(), allowHttp: false };

describe('an endpoint', () => {
  it.each(['https://example.org/hooks?token=x', 'https://example.org:8443/', 'https://1.1.1.1/'])(
    'may be %s',
    (text) => {
      expect(checkEndpoint(text, rules).href).toBe(text);
    },
  );

  it.each([
    ['nowhere', 'not a URL'],
    ['ftp://example.org/', 'neither http nor https'],
    ['http://example.org/', 'is not https (WEBHOOK_ALLOW_HTTP=1 allows http)'],
    ['https://ada:hush@example.org/', 'has a user or a password'],
    ['https://example.org:22/', 'port 22 is neither'],
    ['https://example.org:25/', 'port 25 is neither'],
    ['https://example.org:0/', 'port 0 is neither'],
    ['https://10.0.0.1/', '10.0.0.1 is not at a public address (WEBHOOK_ALLOW_NETWORKS'],
    ['https://2130706433:8080/', '127.0.0.1:8080 is not at a public address'],
    ['https://0x7f.1/', 'not at a public address'],
    ['https://0177.0.0.01./', 'not at a public address'],
    ['https://[::ffff:169.254.169.254]/', 'not at a public address'],
    ['https://[64:ff9b::a00:1]/', 'not at a public address'],
  ])('may not be %s', (text, problem) => {
    const check = () => checkEndpoint(text, rules);
    expect(check).toThrow(NonRetryableError);
    expect(check).toThrow(problem);
    expect(check).not.toThrow('hush');
  });

  it('may be more where that is allowed', () => {
    const mayAsk = publicAddresses(Networks.parse('127.0.0.0/8'));
    const allowed = { mayAsk, allowHttp: true };
    expect(checkEndpoint('http://127.0.0.1:8080/hooks', allowed).port).toBe('8080');
    expect(checkEndpoint('http://example.org/', allowed).protocol).toBe('http:');
    expect(() => checkEndpoint('http://10.0.0.1/', allowed)).toThrow('not at a public address');
    expect(() => checkEndpoint('http://127.0.0.1:22/', allowed)).toThrow('port 22');
  });
});
