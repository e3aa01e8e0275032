import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedServer, versionOf } from './installed-server.ts';

describe('an installed server', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'warren-installed-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it("is found in Debian's folder, behind its link", () => {
    const sbin = join(root, 'usr/lib/rabbitmq/lib/rabbitmq_server-4.3.6/sbin');
    mkdirSync(sbin, { recursive: true });
    mkdirSync(join(root, 'usr/lib/rabbitmq/bin'));
    writeFileSync(join(sbin, 'rabbitmq-server'), '');
    symlinkSync(join(sbin, 'rabbitmq-server'), join(root, 'usr/lib/rabbitmq/bin/rabbitmq-server'));
    expect(installedServer(root)).toEqual({
      scriptsDir: '/usr/lib/rabbitmq/bin',
      version: '4.3.6',
    });
  });

  it('is not there in an empty system', () => {
    expect(installedServer(root)).toBeUndefined();
  });
});

it.each([
  ['/opt/rabbitmq_server-4.1.0/sbin/rabbitmq-server', '4.1.0'],
  ['/opt/homebrew/Cellar/rabbitmq/4.2.1/sbin/rabbitmq-server', '4.2.1'],
  ['/opt/rabbitmq/sbin/rabbitmq-server', undefined],
])('the version is read from %s', (script, version) => {
  expect(versionOf(script)).toBe(version);
});
