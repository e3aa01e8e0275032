import { expect, it } from 'vitest';
import type { Selection } from '../selection.ts';
import { readRunSettings, readStoredSelection } from './stored-run.ts';

const kept = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it('gives a selection back as it was kept', () => {
  const selection: Selection = {
    types: ['a.b'],
    errors: ['E'],
    fingerprints: ['f'],
    ids: ['1'],
    sinceMs: 1,
    untilMs: 2,
    headers: { tenant: 'acme' },
  };
  expect(readStoredSelection(kept(selection))).toEqual(selection);
  expect(readStoredSelection(kept({ types: undefined }))).toEqual({});
});

it.each([{ queues: ['a'] }, { types: 'a' }, { sinceMs: '1' }, { headers: { a: 1 } }])(
  'refuses %j, of which more might be taken than was meant',
  (selection) => {
    expect(() => readStoredSelection(selection)).toThrow(Object.keys(selection)[0]);
  },
);

it('gives settings back, those that it knows', () => {
  const settings = { limit: 1, ratePerSecond: 2, canary: 3, canaryWaitSeconds: 4, maxReplays: 5 };
  expect(readRunSettings(kept({ ...settings, colour: 'red' }))).toEqual(settings);
  expect(readRunSettings(kept({ limit: 'all' }))).toEqual({});
  expect(readRunSettings(null)).toEqual({});
  expect(readRunSettings(kept({ to: 'ns.a.b', isEdited: true }))).toEqual({
    to: 'ns.a.b',
    isEdited: true,
  });
  expect(() => readRunSettings({ to: 7 })).toThrow('"to"');
});
