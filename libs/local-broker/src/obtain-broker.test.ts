import { describe, expect, it } from 'vitest';
import { noBrokerText, obtainBroker } from './obtain-broker.ts';

const log = (): void => undefined;

describe('AMQP_URL', () => {
  it('comes before everything else and is left as it is', async () => {
    const url = 'amqp://127.0.0.1:2/vhost';
    const broker = await obtainBroker({ env: { AMQP_URL: url }, log });
    expect(broker).toMatchObject({ url, origin: 'AMQP_URL' });
    await expect(broker.stop()).resolves.toBeUndefined();
  });

  it('is refused by name when it is no address', async () => {
    const wrong = obtainBroker({ env: { AMQP_URL: 'localhost' }, log });
    await expect(wrong).rejects.toThrow(/^AMQP_URL must be/);
  });
});

it('says with what helps why the package could not be installed', () => {
  expect(noBrokerText()).toMatch(/^no RabbitMQ found\. One of these helps:\n {2}set AMQP_URL/);
  expect(noBrokerText('E: one\nE: two')).toMatch(
    /^no RabbitMQ found, and it could not be installed:\n {2}E: one\n {2}E: two\nOne of these helps:\n/,
  );
});
