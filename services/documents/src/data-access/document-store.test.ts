import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DocumentStore } from './document-store.ts';

const HOUR_MS = 3_600_000;
let folder: string;
let store: DocumentStore;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'warren-store-')), 'documents');
  store = new DocumentStore({ folder, maxBytes: 100, abandonedAfterMs: HOUR_MS });
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

async function* chunks(...parts: readonly (string | Error)[]) {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}
const keep = (letter: string, bytes: number) => store.keep(chunks(letter.repeat(bytes)));
const files = () => readdirSync(folder).sort();
const age = (name: string, ms: number) => {
  const at = new Date(Date.now() - ms);
  utimesSync(join(folder, name), at, at);
};

describe('documents on disk', () => {
  it('are kept under the hash of their bytes, the same ones once', async () => {
    const document = await store.keep(chunks('ab', 'c'));
    expect(document).toEqual({
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      sizeBytes: 3,
    });
    const path = store.pathOf(document.sha256);
    expect(readFileSync(path, 'utf8')).toBe('abc');
    writeFileSync(path, 'damaged');
    await store.keep(chunks('abc'));
    expect(readFileSync(path, 'utf8')).toBe('abc');
    expect(files()).toHaveLength(1);
    expect(await store.sizeOf(document.sha256)).toBe(3);
  });

  it('leave nothing behind when they do not come to their end', async () => {
    const broken = store.keep(chunks('abc', new Error('cut off')));
    await expect(broken).rejects.toThrow('cut off');
    expect(files()).toEqual([]);
  });

  it('make room for new ones once they are analysed, the oldest first', async () => {
    const [first, second] = [await keep('a', 40), await keep('b', 40)];
    age(`${first.sha256}.pdf`, 60_000);
    for (const one of [first, second]) {
      await store.finish(one.sha256, { ...one, pages: 1, words: 2 });
    }
    expect(await store.analysisOf(first.sha256)).toEqual({ ...first, pages: 1, words: 2 });
    const third = await keep('c', 40);
    const names = [`${second.sha256}.pdf`, `${second.sha256}.json`, `${third.sha256}.pdf`];
    expect(files()).toEqual(names.sort());
    await expect(store.sizeOf(first.sha256)).rejects.toThrow('not on this disk');
    expect(await store.analysisOf(first.sha256)).toBeUndefined();
  });

  it('wait while those that wait to be analysed leave no room, but not for those long abandoned', async () => {
    const first = await keep('a', 60);
    await expect(keep('b', 60)).rejects.toMatchObject({ code: 'SNOOZE', delayMs: 60_000 });
    expect(files()).toEqual([`${first.sha256}.pdf`]);
    age(`${first.sha256}.pdf`, 2 * HOUR_MS);
    const second = await keep('b', 60);
    expect(files()).toEqual([`${second.sha256}.pdf`]);
  });

  it('find room one after the other', async () => {
    const outcomes = await Promise.allSettled([keep('a', 40), keep('b', 40), keep('c', 40)]);
    const kept = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(kept).toHaveLength(2);
    expect(files()).toHaveLength(2);
  });

  it('are rid of what killed processes left, but not of what is being written', async () => {
    await keep('a', 10);
    for (const name of ['old.part', 'new.part']) writeFileSync(join(folder, name), 'x');
    age('old.part', 2 * HOUR_MS);
    await store.removeLeftovers();
    expect(files()).toContain('new.part');
    expect(files()).not.toContain('old.part');
  });

  it('need no folder before the first comes', async () => {
    await store.removeLeftovers();
    expect(await store.analysisOf('a'.repeat(64))).toBeUndefined();
  });
});
