import { createHash } from 'node:crypto';
import { CursorInvalidError } from '@warren/contracts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.ts';

const KINDS = ['number', 'string'] as const;

it('gives back the position, to the list that it was made for', () => {
  const cursor = encodeCursor('jobs', [5, 'é😀']);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(decodeCursor('jobs', cursor, KINDS)).toEqual([5, 'é😀']);
  expect(() => decodeCursor('log', cursor, KINDS)).toThrow(CursorInvalidError);
  expect(() => decodeCursor('jobs', cursor, ['string', 'number'])).toThrow(CursorInvalidError);
  expect(() => decodeCursor('jobs', cursor, ['number'])).toThrow(CursorInvalidError);
});

it('refuses any other text', () => {
  const cursor = encodeCursor('jobs', [5, 'id']);
  const property = fc.property(fc.nat({ max: cursor.length - 1 }), fc.string(), (at, text) => {
    const altered = cursor.slice(0, at) + text + cursor.slice(at + 1);
    fc.pre(!Buffer.from(altered, 'base64url').equals(Buffer.from(cursor, 'base64url')));
    expect(() => decodeCursor('jobs', altered, KINDS)).toThrow(CursorInvalidError);
  });
  fc.assert(property);
});

it('lets nothing through that the database refuses, even with a right check', () => {
  for (const json of ['[1.5,"a"]', '[1e300,"a"]', '[1,"\\u0000"]', '[null,"a"]']) {
    const check = createHash('sha256').update(`jobs\n${json}`).digest('base64url').slice(0, 12);
    const forged = Buffer.from(check + json).toString('base64url');
    expect(() => decodeCursor('jobs', forged, KINDS)).toThrow(CursorInvalidError);
  }
});
