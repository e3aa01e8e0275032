import type { Writable } from 'node:stream';

/**
 * Hands over to the system together what is written to a socket in one go. amqplib writes each frame by itself: a system call
 * for every message and ack, each of which may wake the broker in the middle of our work. What is written alone is not
 * delayed: the socket is uncorked as soon as the code that writes returns.
 */
export function batchWrites(socket: Writable): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let isCorked = false;
  const uncork = (): void => {
    isCorked = false;
    socket.uncork();
  };
  socket.write = (...args: unknown[]): boolean => {
    if (!isCorked) {
      isCorked = true;
      socket.cork();
      process.nextTick(uncork);
    }
    return write(...args);
  };
}
