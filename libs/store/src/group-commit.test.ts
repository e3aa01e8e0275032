import { Gate } from '@warren/testing';
import { describe, expect, it } from 'vitest';
import { GroupCommit } from './group-commit.ts';

const limits = { maxItems: 3, maxBytes: 10, bytesOf: (item: string) => item.length };

describe('GroupCommit', () => {
  it('writes those of one turn together, and answers each with its own', async () => {
    const groups: string[][] = [];
    const commits = new GroupCommit<string, string>({
      ...limits,
      commit: async (items) => {
        groups.push([...items]);
        return items.map((item) => item.toUpperCase());
      },
    });
    expect(await Promise.all(['a', 'b'].map((item) => commits.add(item)))).toEqual(['A', 'B']);
    expect(groups).toEqual([['a', 'b']]);
  });

  it('keeps to its bounds, and lets what exceeds them alone go alone', async () => {
    const groups: string[][] = [];
    const commit = async (items: readonly string[]) => {
      groups.push([...items]);
      return items;
    };
    const commits = new GroupCommit<string, string>({ ...limits, commit });
    const items = ['1', '2', '3', '4', 'x'.repeat(12), 'y'.repeat(6), 'z'.repeat(6)];
    expect(await Promise.all(items.map((item) => commits.add(item)))).toEqual(items);
    expect(groups.map((group) => group.length)).toEqual([3, 1, 1, 1, 1]);
  });

  it('gathers what comes while a group is being written', async () => {
    const gate = new Gate();
    const sizes: number[] = [];
    const commit = async (items: readonly string[]) => {
      sizes.push(items.length);
      await gate.opened;
      return items;
    };
    const commits = new GroupCommit<string, string>({ ...limits, commit });
    const answers: Promise<string>[] = [];
    for (const item of ['a', 'b', 'c', 'd']) {
      answers.push(commits.add(item));
      await new Promise(setImmediate);
    }
    expect(sizes).toEqual([1]);
    gate.open();
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd']);
    expect(sizes).toEqual([1, 3]);
  });

  it('answers a group with its failure, and goes on with the next', async () => {
    let isBroken = true;
    const commit = async (items: readonly string[]) => {
      if (isBroken) throw new Error('away');
      return items;
    };
    const commits = new GroupCommit<string, string>({ ...limits, commit });
    await expect(commits.add('a')).rejects.toThrow('away');
    isBroken = false;
    expect(await commits.add('b')).toBe('b');
  });
});
