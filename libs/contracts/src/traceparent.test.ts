import { describe, expect, it } from 'vitest';
import { isTraceparent } from './traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('isTraceparent', () => {
  it.each([
    `00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-00`,
    `01-${TRACE}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01-what.the.future.brings`,
  ])('takes %s', (text) => {
    expect(isTraceparent(text)).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['a number', 1],
    ['an empty text', ''],
    ['a broken one', '00-1'],
    ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['more than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
    ['the version that is forbidden', `ff-${TRACE}-${SPAN}-01`],
    ['the trace of nobody', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['the span of nobody', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['one that never ends', `01-${TRACE}-${SPAN}-01-${'x'.repeat(1_000)}`],
    ['a second line', `00-${TRACE}-${SPAN}-01\n`],
  ])('refuses %s', (_, value) => {
    expect(isTraceparent(value)).toBe(false);
  });
});
