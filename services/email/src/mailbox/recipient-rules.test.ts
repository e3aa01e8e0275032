import { describe, expect, it } from 'vitest';
import { createRecipientRules } from './recipient-rules.ts';

const code = (error: Error | null) => (error as { responseCode?: number } | null)?.responseCode;

describe('recipient rules', () => {
  it('refuse one domain for good', () => {
    const rules = createRecipientRules();
    const answers = [1, 2, 3].map(() => code(rules.reject('nobody@refuse.test')));
    expect(answers).toEqual([550, 550, 550]);
  });

  it('turn an address of the busy domain away every other time, each on its own', () => {
    const rules = createRecipientRules();
    const tried = ['a@busy.test', 'b@busy.test', 'A@busy.test', 'b@BUSY.test', 'a@busy.test'];
    const answers = tried.map((address) => code(rules.reject(address)));
    expect(answers).toEqual([451, 451, undefined, undefined, 451]);
  });

  it('leave all others alone, also those that only look alike', () => {
    const rules = createRecipientRules();
    for (const address of [
      'a@example.org',
      'a@norefuse.test',
      'a@refuse.test.org',
      'refuse.test',
    ]) {
      expect(rules.reject(address)).toBeNull();
    }
  });
});
