/**
 * The broker that tests may share, each in a namespace of its own. Set by the test runner.
 * Never stopped, alarmed or reconfigured by a test: those start a private node.
 */
export function sharedBrokerUrl(): string {
  return process.env['AMQP_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672';
}
