import { buildTopology } from '@warren/topology';
import { expect, it } from 'vitest';
import { UsageError } from '../exit-codes.ts';
import { findPurged } from './find-purged.ts';

const jobTypes = [{ type: 'email.send', lanes: true }];
const topology = buildTopology({ namespace: 'shop', jobTypes, history: {} });

it.each(['email.send', 'email.send.high', 'email.send.suspect', 'audit'])('takes %s', (name) => {
  expect(findPurged(name, topology)).toBe(`shop.${name}`);
  expect(findPurged(`shop.${name}`, topology)).toBe(`shop.${name}`);
});

it.each([
  ['email.send.dead', 'warren dead discard email.send.dead'],
  ['old.dead', 'warren dead discard old.dead'],
  ['jobs.unroutable', 'warren dead discard jobs.unroutable'],
  ['retry.1h', 'retries of all job types'],
  ['jobs.history', 'stream'],
  ['shop.jobs.cancels', 'stream'],
  ['jobs.due', 'no job is run from it'],
])('refuses %s, and says what to do', (name, hint) => {
  expect(() => findPurged(name, topology)).toThrow(UsageError);
  expect(() => findPurged(name, topology)).toThrow(hint);
});
