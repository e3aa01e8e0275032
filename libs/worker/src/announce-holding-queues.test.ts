import { createMetrics } from '@warren/telemetry';
import { createNames, RETRY_TIERS } from '@warren/topology';
import { expect, it } from 'vitest';
import { announceHoldingQueues } from './announce-holding-queues.ts';

it('the metrics name the queues of dead letters and of retries as the broker does', async () => {
  const metrics = createMetrics({ service: 'test', version: 'test', processMetrics: false });
  announceHoldingQueues(metrics, createNames('shop'), ['email.send']);
  const text = await metrics.text();
  expect(text).toContain('jobs_queue_info{queue="shop.email.send.dead",role="dead"} 1');
  expect(text.match(/jobs_queue_info\{queue="shop\.retry\.\w+",role="retry"\} 1/g)).toHaveLength(
    RETRY_TIERS.length,
  );
});
