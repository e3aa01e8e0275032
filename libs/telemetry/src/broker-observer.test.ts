import { expect, it } from 'vitest';
import { observeConnections } from './broker-observer.ts';
import { memoryLog } from './fixtures/memory-log.ts';
import { createMetrics } from './metrics.ts';

it('shows a connection from when it is wanted, and none that never is', async () => {
  const metrics = createMetrics({ service: 'test', version: '1', processMetrics: false });
  const { onOpening, onUp, onDown } = observeConnections(memoryLog().logger, metrics);
  const shown = async () =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('jobs_broker_connected{'));
  expect(await shown()).toEqual([]);
  onOpening('publish');
  expect(await shown()).toEqual(['jobs_broker_connected{connection="publish"} 0']);
  onUp('publish', '4.3.6');
  expect(await shown()).toEqual(['jobs_broker_connected{connection="publish"} 1']);
  onDown('publish', 'cut');
  expect(await shown()).toEqual(['jobs_broker_connected{connection="publish"} 0']);
});
