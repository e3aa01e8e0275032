import { describe, expect, it } from 'vitest';
import { mergeSecrets, readSecrets } from './secrets.ts';

const secret = (bytes: number, fill = 1) => `whsec_${Buffer.alloc(bytes, fill).toString('base64')}`;

describe('secrets', () => {
  it('are known by their names, several of one name in their order', () => {
    const entries = [
      ...['# rotated in May', `default=${secret(24, 1)}`, '', ` acme.2=${secret(64)} `],
      `default=${secret(32, 2)}`,
    ];
    const secrets = readSecrets(entries);
    expect([...secrets.keys()]).toEqual(['default', 'acme.2']);
    expect(secrets.get('default')).toEqual([Buffer.alloc(24, 1), Buffer.alloc(32, 2)]);
    const merged = mergeSecrets(
      secrets,
      readSecrets([`default=${secret(40, 3)}`, `new=${secret(24)}`]),
    );
    expect(merged.get('default')).toHaveLength(3);
    expect(merged.get('new')).toHaveLength(1);
  });

  it.each([
    [secret(24), 'is not written as'],
    [`default=${'c2VjcmV0'.repeat(4)}`, 'is not written as'],
    [`Default=${secret(24)}`, 'is not written as'],
    ['default=whsec_', 'is not written as'],
    ['default=whsec_a', 'is not base64'],
    [`default=${secret(26).replace(/=+$/, '')}`, 'is not base64'],
    [`default=${secret(23)}`, 'is not of 24 to 64 bytes'],
    [`default=${secret(65)}`, 'is not of 24 to 64 bytes'],
  ])('%s is refused, by its place and without showing it', (entry, problem) => {
    const read = () => readSecrets([`other=${secret(24)}`, entry]);
    expect(read).toThrow(`the secret at place 2 ${problem}`);
    expect(read).not.toThrow(entry);
  });

  it('of one name are at most five', () => {
    const entries = Array.from({ length: 6 }, (_, index) => `default=${secret(24, index)}`);
    expect(readSecrets(entries.slice(1)).get('default')).toHaveLength(5);
    expect(() => readSecrets(entries)).toThrow('the secret at place 6 is one more than the 5');
  });
});
