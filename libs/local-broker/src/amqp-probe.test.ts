import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isRabbitListening, readGreeting } from './amqp-probe.ts';

function textField(name: string, text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(`${name}S`),
    length,
    Buffer.from(text),
  ]);
}

function connectionStart(properties: Buffer): Buffer {
  const table = Buffer.alloc(4);
  table.writeUInt32BE(properties.length);
  const payload = Buffer.concat([Buffer.from([0, 10, 0, 10, 0, 9]), table, properties]);
  const header = Buffer.alloc(7);
  header[0] = 1;
  header.writeUInt32BE(payload.length, 3);
  return Buffer.concat([header, payload, Buffer.from([0xce])]);
}

describe('the greeting of a broker', () => {
  const frame = connectionStart(
    Buffer.concat([textField('product', 'RabbitMQ'), textField('version', '4.3.6')]),
  );

  it('tells the version', () => {
    expect(readGreeting(frame)).toEqual({ version: '4.3.6' });
  });

  it('may come without a version', () => {
    const silent = connectionStart(textField('product', 'RabbitMQ'));
    expect(readGreeting(silent)).toEqual({ version: undefined });
  });

  it('is not there before its last byte', () => {
    for (let length = 0; length < frame.length; length += 1) {
      expect(readGreeting(frame.subarray(0, length))).toBeUndefined();
    }
  });

  it('is not the header with which a broker refuses the protocol version', () => {
    expect(readGreeting(Buffer.from('AMQP\x00\x01\x00\x00 and more'))).toBeUndefined();
  });
});

describe('asking whether a broker listens', () => {
  async function withServer<T>(reply: string | undefined, use: (port: number) => Promise<T>) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      if (reply !== undefined) socket.end(reply);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    try {
      return await use(port);
    } finally {
      server.close();
    }
  }

  it('says no to another protocol', async () => {
    const heard = await withServer('HTTP/1.1 400 Bad Request\r\n\r\n', (port) =>
      isRabbitListening('127.0.0.1', port, 5000),
    );
    expect(heard).toBe(false);
  });

  it('says no to somebody who keeps silent', async () => {
    const heard = await withServer(undefined, (port) => isRabbitListening('127.0.0.1', port, 50));
    expect(heard).toBe(false);
  });

  it('says no where nobody listens', async () => {
    const port = await withServer(undefined, async (used) => used);
    expect(await isRabbitListening('127.0.0.1', port, 5000)).toBe(false);
  });
});
