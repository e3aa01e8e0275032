import { expect, it } from 'vitest';
import { ConfigInvalidError } from './errors.ts';
import { checkQueueCounts } from './queue-counts.ts';

it.each([{ concurrency: 1 }, { prefetch: 65_535 }, { concurrency: 10_000, prefetch: 10_000 }])(
  '%j can be set',
  (counts) => {
    expect(checkQueueCounts(counts)).toEqual(counts);
  },
);

it.each([
  [{ concurrency: 0 }, 'concurrency', /pause/],
  [{ concurrency: 10_001 }, 'concurrency', /1 to 10000/],
  [{ concurrency: 1.5 }, 'concurrency', /whole/],
  [{ concurrency: '4' }, 'concurrency', /"4"/],
  [{ concurrency: null }, 'concurrency', /null/],
  [{ prefetch: 0 }, 'prefetch', /pause/],
  [{ concurrency: 5, prefetch: 4 }, 'prefetch', /at least the concurrency \(5\)/],
  [{ speed: 3 }, 'speed', /unknown option/],
  [{}, 'concurrency', /needed/],
  [[], 'body', /object/],
  [7, 'body', /object/],
])('%j is refused, naming %s', (value, setting, message) => {
  const check = () => checkQueueCounts(value);
  expect(check).toThrow(ConfigInvalidError);
  expect(check).toThrow(message);
  expect(check).toThrow(expect.objectContaining({ setting }));
});
