import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyAddress, publicAddresses } from './address-rule.ts';
import { ipv4Text } from './fixtures/ipv4-text.ts';
import { targetProblem } from './target-problem.ts';

const mayAsk = publicAddresses();
const problemOf = (text: string) => targetProblem(new URL(text), mayAsk);

it.each(['https://example.org/a?b#c', 'http://1.1.1.1:8080/', 'https://[2606:4700::1111]/'])(
  'nothing speaks against %s',
  (text) => {
    expect(problemOf(text)).toBeUndefined();
  },
);

it.each([
  ['ftp://example.org/', 'protocol'],
  ['file:///etc/passwd', 'protocol'],
  ['javascript:alert(1)', 'protocol'],
  ['https://ada@example.org/', 'credentials'],
  ['https://:secret@example.org/', 'credentials'],
  // Every way to write 127.0.0.1 that a URL knows.
  ['http://127.0.0.1/', 'address'],
  ['http://127.0.0.1./', 'address'],
  ['http://127.1/', 'address'],
  ['http://2130706433/', 'address'],
  ['http://0x7f000001/', 'address'],
  ['http://0x7f.0.0.0x1/', 'address'],
  ['http://017700000001/', 'address'],
  ['http://0177.0.0.01/', 'address'],
  ['http://%31%32%37.0.0.1/', 'address'],
  ['http://①②⑦.0.0.1/', 'address'],
  ['http://127。0。0。1/', 'address'],
  ['http://0/', 'address'],
  ['http://[::1]/', 'address'],
  ['http://[::ffff:127.0.0.1]/', 'address'],
  ['http://[::ffff:7f00:1]/', 'address'],
  ['http://[64:ff9b::169.254.169.254]/', 'address'],
  ['https://169.254.169.254/latest/meta-data', 'address'],
])('%s: %s', (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});

it('sees the same address in every form that it can be written in', () => {
  const forms = (address: number) => {
    const [a = 0, b = 0, c = 0, d = 0] = ipv4Text(address).split('.').map(Number);
    const octal = [a, b, c, d].map((byte) => `0${byte.toString(8)}`).join('.');
    return [
      ...[ipv4Text(address), `${ipv4Text(address)}.`, String(address), octal],
      ...[`0x${address.toString(16)}`, `0${address.toString(8)}`, `${a}.${b}.${c * 256 + d}`],
      `${a}.${(b * 256 + c) * 256 + d}`,
    ];
  };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), (address) => {
      const expected = mayAsk(ipv4Text(address)) ? undefined : 'address';
      for (const form of forms(address)) expect(problemOf(`http://${form}/`)).toBe(expected);
    }),
  );
});

it('leaves names to whoever resolves them', () => {
  expect(problemOf('http://localhost/')).toBeUndefined();
  expect(targetProblem(new URL('http://127.0.0.1/'), anyAddress)).toBeUndefined();
});
