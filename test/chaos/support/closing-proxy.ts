import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const CLASS_CONNECTION = 10;
const METHOD_OPEN_OK = 41;
const METHOD_CLOSE = 50;
const FRAME_METHOD = 1;
const FRAME_END = 0xce;
const CONNECTION_FORCED = 320;

/** A proxy before a broker that closes each of the first connections in the same packet that ends their handshake. */
export interface ClosingProxy {
  readonly port: number;
  /** Connections that it has closed so. */
  readonly closed: number;
  stop(): void;
}

/** Closes the first `times` connections; those after them are left alone. */
export async function startClosingProxy(target: URL, times: number): Promise<ClosingProxy> {
  let closed = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const broker = connect(Number(target.port || 5672), target.hostname);
    for (const socket of [client, broker]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => [client, broker].map((one) => one.destroy()));
    }
    client.pipe(broker);
    broker.on('data', (data) => {
      const closes = closed < times && isOpenOk(data);
      if (closes) closed += 1;
      client.write(closes ? Buffer.concat([data, closeFrame()]) : data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get closed() {
      return closed;
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A frame is: type, channel (2 bytes), size (4 bytes), payload, end. A method's payload begins with class and method. */
function isOpenOk(data: Buffer): boolean {
  return (
    data.length >= 11 &&
    data[0] === FRAME_METHOD &&
    data.readUInt16BE(7) === CLASS_CONNECTION &&
    data.readUInt16BE(9) === METHOD_OPEN_OK
  );
}

function closeFrame(): Buffer {
  const text = Buffer.from('CONNECTION_FORCED - closed as it was opened');
  const payload = Buffer.alloc(4 + 2 + 1 + text.length + 4);
  payload.writeUInt16BE(CLASS_CONNECTION, 0);
  payload.writeUInt16BE(METHOD_CLOSE, 2);
  payload.writeUInt16BE(CONNECTION_FORCED, 4);
  payload.writeUInt8(text.length, 6);
  text.copy(payload, 7);
  const head = Buffer.alloc(7);
  head.writeUInt8(FRAME_METHOD, 0);
  head.writeUInt32BE(payload.length, 3);
  return Buffer.concat([head, payload, Buffer.of(FRAME_END)]);
}
