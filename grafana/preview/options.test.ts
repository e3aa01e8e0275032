import { expect, it } from 'vitest';
import { readOptions } from './options.ts';

it('takes what is given, and has something for the rest', () => {
  const args = ['--prometheus', 'http://127.0.0.1:9090', '--interval', '15', '--queue', 'a.b'];
  expect(readOptions(args)).toMatchObject({
    prometheusUrl: 'http://127.0.0.1:9090',
    untilSeconds: undefined,
    intervalSeconds: 15,
    queue: 'a.b',
    seconds: 240,
    isHeld: false,
  });
});

it.each([
  ['--seconds', 'soon'],
  ['--interval', '0'],
  ['--loud', 'very'],
])('says how to use it where it is given %s %s', (...args) => {
  expect(() => readOptions(args)).toThrow(/^.*\n\nusage: npm run grafana:preview/);
});
