import { expect, it } from 'vitest';
import { redactorOf } from './personal-data.ts';

const payload = {
  to: 'ada@example.org',
  subject: 'hello',
  people: [{ name: 'Ada', phone: 44123 }, { name: 'Ad' }],
  address: { street: 'Main Street 1', city: 'Main' },
};

it.each([
  [['to'], 'to ada@example.org: hello', 'to [redacted]: hello'],
  [['people.*.name'], 'Ada, not Ad', '[redacted], not Ad'],
  [['people.*.phone'], 'call 44123', 'call [redacted]'],
  // All below a marked value is meant, and the longer goes first.
  [['address'], 'Main Street 1 in Main', '[redacted] in [redacted]'],
  [['nothing.here'], 'ada@example.org', 'ada@example.org'],
])('hides what is at %j', (paths, text, shown) => {
  expect(redactorOf(payload, paths)?.(text)).toBe(shown);
});

it.each([
  ['within JSON', String.raw`{"text":"a \"mail\"\nof two lines"}`, '{"text":"[redacted]"}'],
  ['indented', 'Error: a "mail"\n    of two lines refused', 'Error: [redacted] refused'],
  ['cut after its first line', 'Error: a "mail" …', 'Error: [redacted] …'],
  ['cut before its last line', '… of two lines', '… [redacted]'],
])('hides a text of several lines %s', (_, text, shown) => {
  expect(redactorOf({ text: 'a "mail"\nof two lines' }, ['text'])?.(text)).toBe(shown);
});

it('hides all of a payload on demand', () => {
  const text = 'Ada of Main Street 1 has ada@example.org, and Ad has none';
  const shown = '[redacted] of [redacted] has [redacted], and Ad has none';
  expect(redactorOf(payload, [''])?.(text)).toBe(shown);
});

it('is not there where nothing is marked', () => {
  expect(redactorOf(payload, [])).toBeUndefined();
});

it.each([undefined, null, 'text', 7])('takes a payload that is %j', (odd) => {
  expect(redactorOf(odd, ['to'])?.('as it is')).toBe('as it is');
});
