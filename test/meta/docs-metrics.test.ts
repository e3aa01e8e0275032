import { readFileSync } from 'node:fs';
import { metricsDoc } from '@warren/telemetry';
import { expect, test } from 'vitest';

test('docs/metrics.md agrees with the table of metrics', () => {
  const onDisk = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
  expect(onDisk === metricsDoc(), 'docs/metrics.md is stale: run `npm run docs`').toBe(true);
});
