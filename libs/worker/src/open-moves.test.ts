import { describe, expect, it } from 'vitest';
import { OpenMoves } from './open-moves.ts';

const LONG_MS = 60_000;

describe('OpenMoves', () => {
  it('has none at first', async () => {
    await expect(new OpenMoves().whenNone(LONG_MS)).resolves.toBeUndefined();
  });

  it('waits for the last of them, and for the turn in which its ack is written', async () => {
    const moves = new OpenMoves();
    const seen: string[] = [];
    moves.begin();
    moves.begin();
    const none = moves.whenNone(LONG_MS).then(() => seen.push('none'));
    moves.end();
    moves.end();
    setImmediate(() => seen.push('ack written'));
    await none;
    expect(seen).toEqual(['ack written', 'none']);
  });

  it('gives up waiting, and forgets who waited: there may always be a move under way', async () => {
    const moves = new OpenMoves();
    moves.begin();
    const given = moves.whenNone(10);
    expect(moves.waiting).toBe(1);
    await expect(given).resolves.toBeUndefined();
    expect(moves.waiting).toBe(0);
  });
});
