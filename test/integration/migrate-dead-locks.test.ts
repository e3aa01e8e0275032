import { refuseWhileMigrated } from '@warren/dead-letter';
import { eventually } from '@warren/testing';
import { describe, expect, it } from 'vitest';
import {
  bury,
  buryMany,
  here,
  idsOf,
  installBefore,
  installEach,
  job,
  lookAt,
  open,
  warren,
} from './support/migrating.ts';

installEach();

describe('who takes or looks at dead letters, and who migrates their queue', () => {
  it('exclude each other, and are told who it is', async () => {
    const { queue, locks } = await installBefore('probe.run.dead');
    await bury('1', { messageId: 'one' });
    const migrating = await open();
    for (const lock of locks) await migrating.lock(lock, 'somebody, who migrates it');
    const commands = [
      ['dead', 'list', job.type],
      ['dead', 'groups', job.type],
      ['dead', 'show', job.type, 'one'],
      ['dead', 'replay', job.type, '--dry-run'],
      ['dead', 'replay', job.type],
      ['dead', 'discard', job.type, '--all', '--yes', '--reason', 'test'],
      ['dead', 'export', job.type],
      ['topology', 'migrate', queue.name],
    ];
    // Each asks for a moment before it gives up: all together.
    for (const run of await Promise.all(commands.map((command) => warren(...command)))) {
      expect(run).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is held by somebody, who migrates it'),
      });
    }
    const looking = await open();
    await expect(
      refuseWhileMigrated(looking, here.topology.names, queue.name),
    ).rejects.toMatchObject({ code: 'LOCK_HELD' });
    await migrating.close();
    await eventually('the locks are free', () =>
      refuseWhileMigrated(looking, here.topology.names, queue.name).then(
        () => true,
        () => false,
      ),
    );

    const replaying = await open();
    await replaying.lock(here.topology.names.replayLock(queue.name), 'a replay');
    expect(await warren('topology', 'migrate', queue.name)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is held by a replay'),
    });
    await replaying.close();

    const consumer = looking.consume({
      queue: queue.name,
      prefetch: 10,
      onDelivery: (delivery) => delivery.leave(),
    });
    consumer.start();
    await eventually('it is in hand', async () => (await here.admin.depth(queue.name)) === 0);
    expect(await warren('topology', 'migrate', queue.name, '--dry-run')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Wait until nobody looks at it'),
    });
    expect(await warren('topology', 'migrate', queue.name)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${queue.name} has 1 consumer`),
    });
    await looking.giveBack(consumer);
    expect(idsOf(await lookAt(queue.name))).toEqual(['one']);
  });

  it('waits for what somebody has in hand, who came after the start', async () => {
    const migration = await installBefore('probe.run.dead');
    const ids = Array.from({ length: 300 }, (_, n) => `n-${n}`);
    await buryMany(ids);
    const looking = await open();
    let given: Promise<void> | undefined;
    const consumer = looking.consume({
      queue: migration.queue.name,
      prefetch: 50,
      onDelivery(delivery) {
        delivery.leave();
        given ??= new Promise((wake) => setTimeout(wake, 1_500)).then(() =>
          looking.giveBack(consumer),
        );
      },
    });
    const session = await open();
    await session.migrate(migration, 'test', {
      onStep(step) {
        if (step === 'empty') consumer.start();
      },
    });
    await given;
    const seen = new Set(idsOf(await lookAt(migration.queue.name)));
    expect(given).toBeDefined();
    expect(ids.filter((id) => !seen.has(id))).toEqual([]);
  });
});
