import { expect, it } from 'vitest';
import { isDeletedUnder } from './deleted-under.ts';

const said = (reason: string) =>
  `the broker cannot be reached: Connection closed: 541 (INTERNAL-ERROR) with message "INTERNAL_ERROR - failed consuming from quorum queue 'mail.dead' in vhost '/': ${reason}"`;

it('knows a queue that was deleted by how the connection ended', () => {
  expect(isDeletedUnder(said('{shutdown,\n          delete}'), 'mail.dead')).toBe(true);
  expect(isDeletedUnder(said('{shutdown,delete}'), 'other.mail.dead')).toBe(false);
  expect(isDeletedUnder(said('{shutdown,delete}'), 'mail')).toBe(false);
  expect(isDeletedUnder(said('timeout'), 'mail.dead')).toBe(false);
  expect(isDeletedUnder('the connection was closed', 'mail.dead')).toBe(false);
});
