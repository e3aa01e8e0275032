import { installedServer } from '@warren/local-broker';

const other = process.env['WARREN_RABBITMQ_ROOT'];

/** Where private nodes are started from: the system that is set, else this machine's own RabbitMQ, if it has one. */
export const privateRoots: readonly string[] = other ? [other] : installedServer() ? ['/'] : [];

/** Without an installed RabbitMQ there is nothing to break. */
export const noPrivateNode = privateRoots.length === 0;
