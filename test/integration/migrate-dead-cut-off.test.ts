import { eventually } from '@warren/testing';
import { queueMigration } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import {
  bury,
  buryMany,
  dieAt,
  here,
  idsOf,
  installBefore,
  installEach,
  lookAt,
  open,
  rejectOne,
  warren,
} from './support/migrating.ts';

installEach();

describe('the migration of a queue of dead letters that is cut off', () => {
  it('loses none, killed with SIGKILL at each step and on the way', async () => {
    const { queue } = await installBefore('probe.run.dead');
    const { names } = here.topology;
    const ids = Array.from({ length: 300 }, (_, n) => `n-${n}`);
    await buryMany(ids);
    const more: string[] = [];
    for (const moment of [
      'step empty',
      'after unbindQueue',
      'moved empty 50',
      'step replace',
      'after deleteQueue',
      'step fill',
      'moved fill 50',
      'step clear',
      'after deleteExchange',
    ]) {
      await dieAt(moment, queue.name);
      const messageId = `after ${moment}`;
      await bury('1', { messageId });
      await rejectOne(`rejected ${messageId}`);
      more.push(messageId, `rejected ${messageId}`);
    }
    expect(await warren('topology', 'migrate', queue.name)).toMatchObject({ code: 0 });
    await eventually('all are there', async () => {
      const seen = new Set(idsOf(await lookAt(queue.name)));
      return [...ids, ...more].every((id) => seen.has(id));
    });
    // Each kill may repeat what was published and not acknowledged.
    expect(await here.admin.depth(queue.name)).toBeLessThanOrEqual(320 + 3 * 200);
    expect(await here.admin.depth(names.unroutable)).toBe(0);
    const session = await open();
    expect(await session.migrationState(queueMigration(here.topology, queue.name))).toBe('current');
  }, 120_000);

  it('goes on after it was asked to end', async () => {
    const migration = await installBefore('probe.run.dead');
    const ids = Array.from({ length: 300 }, (_, n) => `n-${n}`);
    await buryMany(ids);
    for (const at of ['empty', 'fill']) {
      const session = await open();
      const stop = new AbortController();
      const report = await session.migrate(migration, 'test', {
        signal: stop.signal,
        onMoved: (step) => {
          if (step === at) stop.abort();
        },
      });
      expect(report.isInterrupted).toBe(true);
      await session.close();
    }
    expect(await warren('topology', 'migrate', migration.queue.name)).toMatchObject({ code: 0 });
    const seen = idsOf(await lookAt(migration.queue.name));
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });
});
