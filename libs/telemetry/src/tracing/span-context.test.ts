import { describe, expect, it } from 'vitest';
import {
  formatTraceparent,
  headersOfSpan,
  linksTo,
  parseTraceparent,
  spanOfHeaders,
} from './span-context.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const UNSAMPLED = TRACEPARENT.replace(/01$/, '00');

describe('a span in headers', () => {
  it.each([TRACEPARENT, UNSAMPLED])('goes there and back: %s', (text) => {
    const context = parseTraceparent(text);
    expect(context?.isRemote).toBe(true);
    expect(context && formatTraceparent(context)).toBe(text);
  });

  it('of a later version goes on as what is known of it', () => {
    const context = parseTraceparent(TRACEPARENT.replace(/^00/, '01').concat('-more'));
    expect(context && formatTraceparent(context)).toBe(TRACEPARENT);
  });

  it('has flags of which only one is known', () => {
    expect(parseTraceparent(TRACEPARENT.replace(/01$/, 'fe'))?.traceFlags).toBe(0);
    expect(parseTraceparent(TRACEPARENT.replace(/01$/, 'ff'))?.traceFlags).toBe(1);
  });

  it("takes its vendor's state along, within a bound", () => {
    const context = spanOfHeaders({ traceparent: TRACEPARENT, tracestate: 'a=1,b=2' });
    expect(context && headersOfSpan(context)).toEqual({
      traceparent: TRACEPARENT,
      tracestate: 'a=1,b=2',
    });
    for (const tracestate of ['x'.repeat(513), 7, '']) {
      const plain = spanOfHeaders({ traceparent: TRACEPARENT, tracestate });
      expect(plain && headersOfSpan(plain)).toEqual({ traceparent: TRACEPARENT });
    }
  });

  it('is an own property', () => {
    expect(spanOfHeaders(Object.create({ traceparent: TRACEPARENT }))).toBeUndefined();
    expect(spanOfHeaders({})).toBeUndefined();
    expect(spanOfHeaders(undefined)).toBeUndefined();
  });

  it('that is none is not written', () => {
    const nobody = { traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 };
    expect(headersOfSpan(nobody)).toBeUndefined();
  });
});

describe('links', () => {
  it('are made once for each span, and not for none', () => {
    const context = parseTraceparent(TRACEPARENT);
    expect(linksTo([context, undefined, parseTraceparent(TRACEPARENT)])).toHaveLength(1);
  });
});
