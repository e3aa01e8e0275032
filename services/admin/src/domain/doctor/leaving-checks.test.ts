import { describe, expect, it } from 'vitest';
import { queue, queues, topology } from './facts.fixture.ts';
import { only, troubles } from './troubles.fixture.ts';

describe('what cannot leave its queue', () => {
  it('is told with its queue, and not of streams or of queues of others', () => {
    expect(only({ queues: queues(queue('retry.5s', { leaving: 3 })) })).toBe(
      'stuck messages problem: messages cannot leave their queue, and nobody can see them in it: retry.5s (3)',
    );
    const others = [queue('jobs.history', { leaving: 9 }), { ...queue('a.b'), name: 'other' }];
    expect(troubles({ queues: queues(...others) })).toEqual([]);
  });

  it('is not judged before the API counts', () => {
    const young = topology.queues.map(({ name }) => queue(name, { leaving: undefined }));
    expect(troubles({ queues: { value: young } })).toEqual([
      expect.objectContaining({ check: 'stuck messages', result: 'not checkable' }),
    ]);
  });
});
