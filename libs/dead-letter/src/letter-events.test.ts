import { readMessage } from '@warren/broker';
import { delivered } from '@warren/testing';
import { createNames } from '@warren/topology';
import { expect, it } from 'vitest';
import { letterEvent, replayEvents } from './letter-events.ts';

const received = (messageId?: string) =>
  readMessage(
    delivered({ messageId, type: 'a.b', headers: { 'x-generation': 2, 'x-attempt': 5 } }),
  );
const base = { id: 'j', type: 'a.b', queue: 'a.b', atMs: 7, run: '', by: 'alice' };
const deed = (kind: 'replayed' | 'discarded', queue: string) =>
  ({ kind, queue, by: 'alice', atMs: 7 }) as const;

it('tells of a replay as the next generation, of a discard as the end of this one', () => {
  expect(letterEvent(received('j'), deed('replayed', 'ns.a.b'), { namespace: 'ns' })).toEqual({
    ...base,
    kind: 'replayed',
    generation: 3,
    attempt: 1,
  });
  const discarded = letterEvent(received('j'), deed('discarded', 'a.b.suspect'), {
    namespace: undefined,
  });
  expect(discarded).toEqual({ ...base, kind: 'discarded', generation: 2, attempt: 5 });
});

it('tells nothing of a message without an id', () => {
  expect(
    letterEvent(received(), deed('replayed', 'a.b'), { namespace: undefined }),
  ).toBeUndefined();
});

it('tells of one that is sent elsewhere that the job which failed has no dead letter any more', () => {
  const topology = { names: createNames('ns') };
  const source = { queue: 'ns.a.b.dead', workQueue: 'ns.a.b' };
  const to = (queue: string) =>
    ({ queue, exchange: 'x', job: undefined, isGuess: true, dead: source }) as const;
  const letter = delivered({ messageId: 'j', type: 'a.b', headers: { 'x-generation': 2 } });
  const sent = (queue: string) =>
    replayEvents(
      letter,
      { queue, by: 'alice', atMs: 7, type: 'c.d' },
      { topology, source, to: to(queue) },
    );
  expect(sent('ns.c.d')).toEqual([
    { ...base, kind: 'discarded', generation: 2, attempt: 1 },
    { ...base, kind: 'replayed', type: 'c.d', queue: 'c.d', generation: 3, attempt: 1 },
  ]);
  expect(sent('ns.a.b.high')).toMatchObject([{ kind: 'replayed', queue: 'a.b' }]);
});
