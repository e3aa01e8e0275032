import { type EndRecording, startRecording } from './recorder.ts';
import type { FromService, ToService } from './service-messages.ts';

/** Loaded before a service that is to be profiled as it is shipped: begins and ends a recording when its parent asks for it. */
let end: EndRecording | undefined;

process.on('message', (message: ToService) => {
  void (message.kind === 'record' ? begin(message) : finish());
});
// Whoever started it is gone.
process.once('disconnect', () => process.exit(1));
// The service ends when its own work does.
process.channel?.unref();

async function begin({ recording }: Extract<ToService, { kind: 'record' }>): Promise<void> {
  end = await startRecording(recording);
  tell('recording');
}

async function finish(): Promise<void> {
  await end?.();
  tell('recorded');
}

function tell(message: FromService): void {
  process.send?.(message);
}
