import { newJobId, timeOfJobId } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { hostOf, messageBody, messageId } from './message.ts';

const payload = { url: 'https://Example.org:443/a', eventType: 'order.placed', data: { a: 1 } };
const job = { id: 'job-1', payload, publishedAtMs: Date.parse('2026-11-29T12:00:00.123Z') };

describe('a message', () => {
  it('is known by the id of its event, else by that of its job', () => {
    expect(messageId(job)).toBe('job-1');
    expect(messageId({ ...job, payload: { ...payload, id: 'evt_7' } })).toBe('evt_7');
  });

  it.each(['a.b', 'line\nbreak', 'x'.repeat(101), 'ünicode'])(
    'has an id that follows from %j, which a signature cannot hold',
    (id) => {
      const first = messageId({ ...job, id });
      expect(first).toMatch(/^[A-Za-z0-9_-]{1,100}$/);
      expect(messageId({ ...job, id })).toBe(first);
      expect(messageId({ ...job, id: `${id}2` })).not.toBe(first);
    },
  );

  it('says what happened and when, the same at each attempt', () => {
    expect(messageBody(job)).toBe(
      '{"type":"order.placed","timestamp":"2026-11-29T12:00:00.123Z","data":{"a":1}}',
    );
  });

  it('takes the time from the id where no publisher said it, and else has none', () => {
    const id = newJobId();
    const unsaid = { ...job, publishedAtMs: undefined };
    const time = new Date(timeOfJobId(id) ?? 0).toISOString();
    expect(JSON.parse(messageBody({ ...unsaid, id }))).toMatchObject({ timestamp: time });
    expect(messageBody(unsaid)).toBe('{"type":"order.placed","data":{"a":1}}');
  });

  it('is for a host, by one name for each', () => {
    expect(hostOf(job)).toBe('example.org');
    const other = { ...payload, url: 'http://2130706433:8080/' };
    expect(hostOf({ payload: other })).toBe('127.0.0.1:8080');
  });
});
