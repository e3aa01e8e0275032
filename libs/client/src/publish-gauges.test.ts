import { createMetrics, type Metrics } from '@warren/telemetry';
import { beforeEach, expect, it } from 'vitest';
import { showPublisher } from './publish-gauges.ts';

let metrics: Metrics;
beforeEach(() => {
  metrics = createMetrics({ service: 'test', version: 'test', processMetrics: false });
});

/** The lines of both gauges that a scrape shows. */
async function scraped(): Promise<string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines.filter((line) => /^jobs_publish_(unconfirmed|buffered)[ {]/.test(line));
}

it('shows the sum of all clients of one process, until each is closed', async () => {
  const closeFirst = showPublisher(metrics, 'jobs', { unconfirmed: 1, buffered: 10 });
  const closeSecond = showPublisher(metrics, 'jobs', { unconfirmed: 2, buffered: 20 });
  const closeThird = showPublisher(metrics, 'shop.jobs', { unconfirmed: 4, buffered: 40 });
  const values = async () => (await scraped()).map((line) => Number(line.split(' ').at(-1)));
  expect((await values()).sort()).toEqual([3, 4, 70]);
  closeSecond();
  expect((await values()).sort()).toEqual([1, 4, 50]);
  closeFirst();
  closeThird();
  expect(await values()).toEqual([0, 0, 0]);
});

it('keeps what other metrics show apart', async () => {
  const others = createMetrics({ service: 'test', version: 'test', processMetrics: false });
  showPublisher(others, 'jobs', { unconfirmed: 1, buffered: 10 });
  showPublisher(metrics, 'jobs', { unconfirmed: 2, buffered: 20 });
  expect((await scraped()).join('\n')).toMatch(/ 2$/m);
  expect((await scraped()).join('\n')).toMatch(/ 20$/m);
});
