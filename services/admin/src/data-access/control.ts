import { setTimeout as pause } from 'node:timers/promises';
import { Broker } from '@warren/broker';
import { type ControlEdit, ControlState } from '@warren/client';
import { BrokerUnavailableError, type ControlSnapshot } from '@warren/contracts';
import { brokerConnection, historyBounds } from '@warren/runtime';
import { buildTopology, type Names } from '@warren/topology';
import { actor } from '../domain/who.ts';
import { UsageError } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { withStore } from '../open-store.ts';

const READY_WITHIN_MS = 10_000;
const READY_EVERY_MS = 20;

/** What is written down of a change. */
export interface ChangeNote {
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Connects to the broker as one who reads and writes its streams, does something, and closes whatever happens. */
export async function withStreams<T>(
  { config }: Admin,
  action: (broker: Broker, names: Names) => Promise<T>,
): Promise<T> {
  if (!config.WARREN_HISTORY) {
    throw new UsageError('WARREN_HISTORY=0: workers that keep no history hear of nothing');
  }
  const topology = buildTopology({
    namespace: config.WARREN_NAMESPACE,
    jobTypes: [],
    history: historyBounds(config),
  });
  const broker = new Broker({
    connection: brokerConnection(config),
    service: 'warren',
    topology,
  });
  try {
    await whenReady(broker);
    return await action(broker, topology.names);
  } finally {
    await broker.close();
  }
}

/** What is switched by hand. @throws BrokerUnavailableError */
export function readControl(broker: Broker, names: Names): Promise<ControlSnapshot> {
  const state = new ControlState({ broker, stream: names.control, tryLock: noLock });
  return state.current().finally(() => state.close());
}

/**
 * Switches something for all workers, written down first, under the lock that gateways take too.
 * @throws UsageError without DATABASE_URL; StoreUnavailableError; as `ControlState.change`
 */
export async function changeControl(
  admin: Admin,
  edit: ControlEdit,
  { action, details }: ChangeNote,
): Promise<void> {
  if (admin.config.DATABASE_URL === undefined) {
    throw new UsageError(
      'DATABASE_URL is needed: its lock keeps two from switching at once. The gateway does the same over HTTP, see docs/control.md',
    );
  }
  await withStore(admin, (store) =>
    withStreams(admin, async (broker, names) => {
      const state = new ControlState({
        broker,
        stream: names.control,
        tryLock: (name) => store.tryLock(name),
        onNonsense: (offset) =>
          admin.shell.err(
            `warren: message ${offset} of ${names.control} makes no sense; it is replaced, and what was set before stays\n`,
          ),
      });
      try {
        await state.change(edit, () => store.audit.write({ actor: actor(), action, details }));
      } finally {
        await state.close();
      }
    }),
  );
}

/** It connects by itself, now or later. @throws BrokerUnavailableError that says what is wrong */
async function whenReady(broker: Broker): Promise<void> {
  const endsAt = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const problem = Object.values(broker.checks()).find((check) => check !== 'ok');
    if (problem === undefined) return;
    if (performance.now() > endsAt) throw new BrokerUnavailableError(problem);
    await pause(READY_EVERY_MS);
  }
}

const noLock = () => Promise.resolve(undefined);
