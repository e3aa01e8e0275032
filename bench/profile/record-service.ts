import type { ChildProcess } from 'node:child_process';
import { type EndRecording, nodeFlagsOf, type Recording } from './recorder.ts';
import type { FromService, ToService } from './service-messages.ts';

/** What Node is to be started with, so that a service can be recorded. */
export function flagsToRecord(recording: Recording): string[] {
  return ['--import', './bench/profile/attach.ts', ...nodeFlagsOf(recording)];
}

/** Begins to record a service that was started with those; rejects when it ends. */
export async function recordService(
  child: ChildProcess,
  recording: Recording,
): Promise<EndRecording> {
  await ask(child, { kind: 'record', recording }, 'recording');
  return () => ask(child, { kind: 'end' }, 'recorded');
}

function ask(child: ChildProcess, message: ToService, answer: FromService): Promise<void> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`it ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (heard: FromService) => {
      child.off('exit', onExit);
      if (heard === answer) resolve();
      else reject(new Error(`expected ${answer}, heard ${heard}`));
    });
    child.send(message);
  });
}
