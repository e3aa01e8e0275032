import { connect, type Socket } from 'node:net';

/** The first eight bytes every AMQP 0-9-1 client sends. */
const PROTOCOL_HEADER = Buffer.from([0x41, 0x4d, 0x51, 0x50, 0, 0, 9, 1]);

/** What the broker said about itself before any login. */
export interface BrokerGreeting {
  /** For example `3.10.8`; `undefined` when the broker does not tell. */
  readonly version: string | undefined;
}

/**
 * Reads a `connection.start` frame: frame type 1, channel 0, class 10, method 10 (AMQP 0-9-1 section 1.4).
 * `undefined` while the bytes are no such frame, or not all of it has arrived.
 */
export function readGreeting(bytes: Buffer): BrokerGreeting | undefined {
  if (bytes.length < 11 || bytes[0] !== 1 || bytes.readUInt32BE(7) !== 0x000a_000a)
    return undefined;
  const frameBytes = 7 + bytes.readUInt32BE(3) + 1;
  if (bytes.length < frameBytes) return undefined;
  return { version: readTextField(bytes, 'version') };
}

/** A table field of type `S` (long string): length of the name, name, type, length of the text, text. */
function readTextField(bytes: Buffer, name: string): string | undefined {
  const key = Buffer.concat([Buffer.from([name.length]), Buffer.from(`${name}S`)]);
  const found = bytes.indexOf(key);
  if (found < 0) return undefined;
  const start = found + key.length + 4;
  return bytes.toString('utf8', start, start + bytes.readUInt32BE(start - 4));
}

/**
 * Asks whoever listens there to speak AMQP 0-9-1 and returns its greeting, without logging in.
 * `undefined` when nobody answers so within `timeoutMs`; never throws.
 */
export async function greetBroker(
  host: string,
  port: number,
  timeoutMs: number,
): Promise<BrokerGreeting | undefined> {
  const socket = connect({ host, port });
  try {
    return await readFrom(socket, timeoutMs);
  } finally {
    socket.destroy();
  }
}

function readFrom(socket: Socket, timeoutMs: number): Promise<BrokerGreeting | undefined> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    socket.on('error', () => resolve(undefined));
    socket.once('connect', () => socket.write(PROTOCOL_HEADER));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const greeting = readGreeting(received);
      if (greeting) resolve(greeting);
    });
  });
}

/** Whether a broker that speaks AMQP 0-9-1 answers there within `timeoutMs`. Never throws. */
export async function isRabbitListening(
  host: string,
  port: number,
  timeoutMs: number,
): Promise<boolean> {
  return (await greetBroker(host, port, timeoutMs)) !== undefined;
}
