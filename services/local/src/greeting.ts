import type { ObtainedBroker } from '@warren/local-broker';
import { redactUrl } from '@warren/telemetry';

/** What `npx warren` and other commands take where nothing is set. */
const DEFAULT_URL = 'amqp://guest:guest@127.0.0.1:5672';

/** Where other commands would not find the broker by themselves. A password that somebody has set is not shown. */
function commandsLine({ url, origin }: Pick<ObtainedBroker, 'url' | 'origin'>): string[] {
  if (url === DEFAULT_URL) return [];
  return origin === 'AMQP_URL'
    ? [`Commands  npx warren queues, with the AMQP_URL of this one: ${redactUrl(url)}`]
    : [`Commands  AMQP_URL=${url} npx warren queues`];
}

/** Where everything is, and one command to try: what a person sees after `npm start`. */
export function greeting(options: {
  readonly gatewayUrl: string;
  /** Whether the gateway asks for a key. */
  readonly needsKey: boolean;
  readonly mailboxUrl: string | undefined;
  readonly broker: Pick<ObtainedBroker, 'url' | 'origin' | 'consoleUrl' | 'consoleHint'>;
}): string {
  const { gatewayUrl, needsKey, mailboxUrl, broker } = options;
  const key = needsKey ? ' -H "authorization: Bearer $KEY"' : '';
  const mail = { to: 'you@example.org', subject: 'Hello', text: 'It works.' };
  const body = JSON.stringify({ type: 'email.send', payload: mail });
  return [
    `Gateway   ${gatewayUrl}`,
    `Mailbox   ${mailboxUrl ?? 'mails go to the server that SMTP_URL names'}`,
    `RabbitMQ  ${broker.consoleUrl ?? `no console found; enable it with: ${broker.consoleHint ?? 'rabbitmq-plugins enable rabbitmq_management'}`}`,
    ...commandsLine(broker),
    `Try       curl -i ${gatewayUrl}/v1/jobs -H 'content-type: application/json'${key} -d '${body}'`,
  ].join('\n');
}
