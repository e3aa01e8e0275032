import { describe, expect, it } from 'vitest';
import { ChannelRenewal } from './channel-renewal.ts';

describe('the renewal of a channel that refused', () => {
  it('is due once all is answered, or after a second', () => {
    const renewal = new ChannelRenewal();
    expect(renewal.isDue(0, 0)).toBe(false);
    expect(renewal.begin(0)).toBe(true);
    expect(renewal.isUnderWay).toBe(true);
    expect(renewal.isDue(0, 1)).toBe(true);
    expect(renewal.isDue(5, 999)).toBe(false);
    expect(renewal.isDue(5, 1_000)).toBe(true);
  });

  it('begins once for many refusals, and its second is counted from the first', () => {
    const renewal = new ChannelRenewal();
    renewal.begin(0);
    expect(renewal.begin(900)).toBe(true);
    expect(renewal.isDue(5, 1_000)).toBe(true);
  });

  it('comes once a second at most', () => {
    const renewal = new ChannelRenewal();
    renewal.begin(0);
    renewal.end(10);
    expect(renewal.isUnderWay).toBe(false);
    expect(renewal.begin(1_009)).toBe(false);
    expect(renewal.begin(1_010)).toBe(true);
  });

  it('is not held back by channels that closed for other reasons', () => {
    const renewal = new ChannelRenewal();
    renewal.end(10);
    expect(renewal.begin(11)).toBe(true);
  });
});
