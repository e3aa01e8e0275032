import { describe, expect, it } from 'vitest';
import type { VariableFile } from './dashboard-file.ts';
import { chooseVariables, fillIn, rateIntervalSeconds } from './variables.ts';

const source: VariableFile = { name: 'datasource', label: 'Data source', type: 'datasource' };
const queue: VariableFile = {
  name: 'queue',
  label: 'Queue',
  type: 'query',
  definition: 'label_values(jobs_queue_info{role="work"}, queue)',
};
const service: VariableFile = {
  name: 'service',
  label: 'Service',
  type: 'query',
  definition: 'label_values(up, service)',
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
};

describe('variables', () => {
  it('are the first value by name, as when a dashboard is opened', async () => {
    const asked: unknown[] = [];
    const choices = await chooseVariables([source, queue], {}, async (...question) => {
      asked.push(question);
      return ['webhook.deliver', 'email.send'];
    });
    expect(choices).toEqual({ queue: { label: 'Queue', text: 'email.send', value: 'email.send' } });
    expect(asked).toEqual([['jobs_queue_info{role="work"}', 'queue']]);
  });

  it('are all values, where the file says so, without asking', async () => {
    const choices = await chooseVariables([service], {}, () => Promise.reject(new Error('asked')));
    expect(choices).toEqual({ service: { label: 'Service', text: 'All', value: '.*' } });
  });

  it('are what the file has chosen among its own values, without asking', async () => {
    const objective: VariableFile = {
      name: 'objective',
      label: 'Objective',
      type: 'custom',
      current: { text: '99 %', value: '0.99' },
    };
    const choices = await chooseVariables([objective], {}, () =>
      Promise.reject(new Error('asked')),
    );
    expect(choices['objective']).toEqual({ label: 'Objective', text: '99 %', value: '0.99' });
  });

  it('are what is wished, and nothing where there is no value', async () => {
    const none = async () => [];
    const wished = await chooseVariables([queue], { queue: 'a.b' }, none);
    expect(wished['queue']?.value).toBe('a.b');
    expect((await chooseVariables([queue], {}, none))['queue']?.value).toBe('');
  });
});

describe('an expression', () => {
  it('has its variables filled in, in both notations and by their whole names', () => {
    const values = { queue: 'email.send', queues: 'all', __rate_interval: '20s' };
    expect(fillIn('rate(a{q="$queue",r="$' + '{queue}"}[$__rate_interval]) $queues', values)).toBe(
      'rate(a{q="email.send",r="email.send"}[20s]) all',
    );
  });

  it('is refused where it names a variable that there is not', () => {
    expect(() => fillIn('up{service="$service"}', {})).toThrow('no variable $service');
  });
});

it('looks back over at least four scrapes, and over a step and one', () => {
  expect(rateIntervalSeconds(15, 15)).toBe(60);
  expect(rateIntervalSeconds(15, 300)).toBe(315);
});
