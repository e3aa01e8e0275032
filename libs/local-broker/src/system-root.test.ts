import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { insideOf, openSystemRoot } from './system-root.ts';

describe('a system root', () => {
  it('is nothing to enter when it is this machine', () => {
    const root = openSystemRoot('/', '/var/tmp');
    expect(root.inside('/var/tmp/x')).toBe('/var/tmp/x');
    expect(root.enter('erl', ['-v'])).toEqual(['erl', ['-v']]);
    expect(root.temporaryFolder).toBe('/var/tmp');
  });

  it('is refused by name when no system lies there, or the user may not enter it', () => {
    const empty = mkdtempSync(join(tmpdir(), 'warren-root-'));
    expect(() => openSystemRoot(empty, '/tmp')).toThrow(`root ${empty}: `);
    rmSync(empty, { recursive: true });
  });

  it('names files as its programs see them', () => {
    expect(insideOf('/opt/other', '/opt/other/tmp/data')).toBe('/tmp/data');
    expect(() => insideOf('/opt/other', '/opt/others/tmp')).toThrow(/dataDir \/opt\/others\/tmp/);
  });
});
