import { type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noPrivateNode } from './support/private-roots.ts';
import { LANES, PREFETCH, Stage } from './support/stage.ts';

const JOBS = 20_000;
const CLOSE_EVERY_MS = 200;
/** More than any run needs: the loop ends with the node, or when it is stopped. */
const CLOSE_TIMES = 5_000;
const PATIENCE_MS = 120_000;

describe.skipIf(noPrivateNode)('a ledger of 20,000 jobs under faults', () => {
  let node: PrivateNode;
  let stage: Stage;
  beforeAll(async () => {
    node = await startPrivateNode();
    stage = await Stage.open(node);
  });
  afterAll(async () => {
    await stage?.close();
    await node?.stop();
  });

  it('misses nothing while connections are closed and the broker is stopped and killed', async () => {
    let breaking = true;
    const breakAll = breakThings().finally(() => {
      breaking = false;
    });
    await Promise.all([stage.publishWhile(() => breaking || stage.accepted < JOBS), breakAll]);
    await stage.settle(PATIENCE_MS);
    const account = await stage.account();
    expect(account.connectionsLost, 'the faults reached client and worker').toBeGreaterThan(10);
    expect(account, JSON.stringify(account)).toMatchObject({
      lost: 0,
      attemptsSpentByFaults: 0,
      deadLettered: 0,
      unroutable: 0,
    });
    expect(account.accepted).toBeGreaterThanOrEqual(JOBS);
    expect(
      account.duplicated,
      'a lost connection repeats at most the publishes under way on it, whose confirms are unknown, ' +
        'or the deliveries that were out on it, whose acks may not have arrived',
    ).toBeLessThanOrEqual(account.connectionsLost * Math.max(LANES, PREFETCH + 1));
  });

  async function breakThings(): Promise<void> {
    await node.closeConnectionsEvery(CLOSE_EVERY_MS, CLOSE_TIMES);
    await stage.untilAccepted(JOBS / 3, PATIENCE_MS);
    await node.restart('stop');
    await node.closeConnectionsEvery(CLOSE_EVERY_MS, CLOSE_TIMES);
    await stage.untilAccepted((2 * JOBS) / 3, PATIENCE_MS);
    await node.restart('kill');
    const closer = await node.closeConnectionsEvery(CLOSE_EVERY_MS, CLOSE_TIMES);
    await stage.untilAccepted(JOBS, PATIENCE_MS);
    await closer.stop();
  }
});
