import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../as-services-run.ts';
import { nodeFlagsOf } from '../profile/recorder.ts';
import type { SystemSource } from '../systems/system.ts';
import type { FromPart, PartOrder, ToPart } from './messages.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a part says when its jobs are done. */
export type PartUsage = Omit<Extract<FromPart, { kind: 'done' }>, 'kind'>;

/** A publisher or worker in a process of its own, connected. */
export interface Part {
  /** Its warm-up is over. */
  readonly warm: Promise<unknown>;
  readonly done: Promise<PartUsage>;
  go(): void;
  stop(): Promise<void>;
  /** Ends it as it stands; nothing if it has ended. */
  kill(): void;
}

/** Starts a part; resolves when it is connected. */
export async function startPart(
  { program, spec }: SystemSource,
  order: Omit<PartOrder, 'spec'>,
): Promise<Part> {
  const child = fork(program, [JSON.stringify({ ...order, spec })], {
    cwd: ROOT,
    execArgv: [...NODE_FLAGS, ...(order.record ? nodeFlagsOf(order.record) : [])],
  });
  const [warm, done] = [heard(child, 'warm'), heard(child, 'done')];
  // Without it a part that ends early would end the bench before anybody awaits it.
  for (const awaited of [warm, done]) awaited.catch(() => {});
  await heard(child, 'ready');
  const tell = (message: ToPart) => void child.send(message);
  return {
    warm,
    done,
    go: () => tell('go'),
    async stop() {
      const exited = once(child, 'exit');
      tell('stop');
      await exited;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function heard<Kind extends FromPart['kind']>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<FromPart, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: FromPart) => {
      if (message.kind === kind) resolve(message as Extract<FromPart, { kind: Kind }>);
    });
    child.once('exit', (code) => reject(new Error(`${child.spawnargs.at(-1)} ended with ${code}`)));
  });
}
