import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';

/**
 * Posts one body `count` times over keep-alive connections, each with one request at a time, and resolves when all are
 * answered with `status`. Written on sockets: a client of its own weight would blur what it measures.
 */
export async function postMany(
  url: string,
  path: string,
  body: string,
  { count, connections, status }: { count: number; connections: number; status: number },
): Promise<void> {
  const { hostname, port } = new URL(url);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const request = Buffer.from(`${head.join('\r\n')}${HEAD_END}${body}`);
  let left = count;
  const lane = async (): Promise<void> => {
    const socket = connect(Number(port), hostname).setNoDelay(true);
    try {
      await postInTurn(socket, request, `HTTP/1.1 ${status} `, () => left-- > 0);
    } finally {
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

function postInTurn(
  socket: Socket,
  request: Buffer,
  expected: string,
  more: () => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    const next = (): void => {
      received = '';
      if (more()) socket.write(request);
      else resolve();
    };
    socket.setEncoding('latin1').on('error', reject);
    socket.on('close', () => reject(new Error('the server closed the connection')));
    socket.on('data', (text: string) => {
      received += text;
      if (!isComplete(received)) return;
      if (received.startsWith(expected)) next();
      else reject(new Error(received));
    });
    socket.once('connect', next);
  });
}

function isComplete(text: string): boolean {
  const end = text.indexOf(HEAD_END);
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1];
  return text.length >= end + HEAD_END.length + Number(length);
}
