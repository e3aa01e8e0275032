const DELETED = /\{shutdown,\s*delete\}/;

/**
 * Does a connection's end mean that a queue is gone? RabbitMQ 4.3 ends the connection of whoever begins to consume a quorum
 * queue just as it is deleted (541), and names the queue (measured on 4.3.6).
 */
export function isDeletedUnder(problem: string, queue: string): boolean {
  return problem.includes(`queue '${queue}'`) && DELETED.test(problem);
}
