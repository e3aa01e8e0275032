import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { findConsole, firstAddress } from './management-page.ts';

describe('the first address of AMQP_URL', () => {
  it.each([
    ['amqp://localhost', 'localhost', 5672],
    ['amqp://u:p@broker.example:5673/v%2Fhost?heartbeat=5', 'broker.example', 5673],
    ['amqps://one:1,amqps://two:2', 'one', 1],
    ['amqp://u:p@one,two:5674', 'one', 5672],
    ['amqp://[::1]:5672', '[::1]', 5672],
  ])('%s', (url, host, port) => {
    expect(firstAddress(url)).toEqual({ host, port });
  });

  it('is not there in something else', () => {
    expect(firstAddress('http://localhost')).toBeUndefined();
    expect(firstAddress('localhost:5672')).toBeUndefined();
  });
});

describe('the management page', () => {
  const server = createServer((_, response) => response.end(page));
  let page = '';
  afterEach(() => void server.close());

  async function listen(): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  it('is named when it answers at the usual distance from the AMQP port', async () => {
    page = '<title>RabbitMQ Management</title>';
    const port = await listen();
    const found = await findConsole({ host: '127.0.0.1', port: port - 10_000 });
    expect(found).toEqual({ consoleUrl: `http://127.0.0.1:${port}` });
  });

  it('is not somebody else who listens there', async () => {
    page = 'hello';
    const port = await listen();
    const found = await findConsole({ host: '127.0.0.1', port: port - 10_000 });
    expect(found).toEqual({ consoleHint: 'rabbitmq-plugins enable rabbitmq_management' });
  });

  it('is told how to enable when nobody listens', async () => {
    expect(await findConsole({ host: '127.0.0.1', port: 2 })).toHaveProperty('consoleHint');
  });
});
