import type { ObtainedBroker } from '@warren/local-broker';

/** Where everything is, and one command to try: what a person sees after `npm start`. */
export function greeting(options: {
  readonly gatewayUrl: string;
  /** Whether the gateway asks for a key. */
  readonly needsKey: boolean;
  readonly mailboxUrl: string | undefined;
  readonly broker: Pick<ObtainedBroker, 'consoleUrl' | 'consoleHint'>;
}): string {
  const { gatewayUrl, needsKey, mailboxUrl, broker } = options;
  const key = needsKey ? ' -H "authorization: Bearer $KEY"' : '';
  const mail = { to: 'you@example.org', subject: 'Hello', text: 'It works.' };
  const body = JSON.stringify({ type: 'email.send', payload: mail });
  return [
    `Gateway   ${gatewayUrl}`,
    `Mailbox   ${mailboxUrl ?? 'mails go to the server that SMTP_URL names'}`,
    `RabbitMQ  ${broker.consoleUrl ?? `no console found; enable it with: ${broker.consoleHint ?? 'rabbitmq-plugins enable rabbitmq_management'}`}`,
    `Try       curl -i ${gatewayUrl}/v1/jobs -H 'content-type: application/json'${key} -d '${body}'`,
  ].join('\n');
}
