import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { workerSettings } from './worker-settings.ts';

const settings = workerSettings([{ type: 'email.send' }, { type: 'report.render' }]);

describe('workerSettings', () => {
  it('takes counts by job type, and nothing', () => {
    const CONCURRENCY = ' email.send=5, report.render = 10000';
    const expected = { 'email.send': 5, 'report.render': 10_000 };
    expect(loadConfig(settings, { CONCURRENCY, PREFETCH: 'email.send=65535' })).toMatchObject({
      CONCURRENCY: expected,
      PREFETCH: { 'email.send': 65_535 },
    });
    expect(loadConfig(settings, {})).toEqual({
      CONCURRENCY: undefined,
      PREFETCH: undefined,
      CONSUMER_TIMEOUT_SECONDS: 1_800,
    });
  });

  it.each(['0', 'half an hour', '20s', '1.5'])('refuses a consumer timeout of %s', (text) => {
    const load = () => loadConfig(settings, { CONSUMER_TIMEOUT_SECONDS: text });
    expect(load).toThrow(expect.objectContaining({ setting: 'CONSUMER_TIMEOUT_SECONDS' }));
  });

  it('gives examples of job types that there are', () => {
    const one = workerSettings([{ type: 'report.render' }]);
    for (const name of ['CONCURRENCY', 'PREFETCH'] as const) {
      expect(() => loadConfig(one, { [name]: '0' })).toThrow('a list such as "report.render=5" (');
      expect(() => loadConfig(settings, { [name]: '0' })).toThrow('"email.send=5,report.render=1"');
      expect(one[name].description).toContain('report.render=5');
      expect(one[name].description).not.toMatch(/email|payment/);
    }
  });

  it.each([
    ['emial.send=5', '"emial.send" is no job type; did you mean email.send?'],
    ['audit=5', '"audit" is no job type; known: email.send, report.render'],
    ['email.send=0', 'email.send needs a whole number from 1 to'],
    ['email.send=1.5', 'email.send needs'],
    ['email.send=999999999', 'email.send needs'],
    ['email.send', 'email.send needs'],
    ['email.send=1=2', 'email.send needs'],
    ['email.send=1,', 'there is nothing between or after its commas'],
    [',', 'there is nothing between or after its commas'],
    ['0', '"0" lacks the job type and "=" before the number'],
    ['=5', '"=5" lacks the job type before "="'],
    ['abc', '"abc" lacks "=" and a number, and is no job type'],
    [
      'emial.send',
      '"emial.send" lacks "=" and a number, and is no job type; did you mean email.send?',
    ],
    ['email.send=1,email.send=2', 'email.send is there twice'],
    ['__proto__=1', '"__proto__" is no job type'],
  ])('refuses %s by name', (text, problem) => {
    for (const name of ['CONCURRENCY', 'PREFETCH']) {
      const load = () => loadConfig(settings, { [name]: text });
      expect(load).toThrow(expect.objectContaining({ setting: name }));
      expect(load).toThrow(problem);
    }
  });
});
