import { type ConnectionSettings, credentialsOf } from '@warren/broker';
import { BrokerUnavailableError } from '@warren/contracts';

/** Where RabbitMQ's management API is, and as whom it is asked. */
export interface ManagementAccess {
  /** Ends with `/api`. */
  readonly base: string;
  readonly authorization: string;
  readonly username: string;
  readonly vhost: string;
}

const TIMEOUT_MS = 10_000;

/** User and password are those of AMQP, unless the address has its own. @throws ConfigInvalidError naming AMQP_URL */
export function managementAccess(
  address: string,
  connection: ConnectionSettings,
): ManagementAccess {
  const { vhost, ...broker } = credentialsOf(connection);
  const url = new URL(address);
  const username = url.username ? decodeURIComponent(url.username) : broker.username;
  const password = url.username ? decodeURIComponent(url.password) : broker.password;
  return {
    base: `${url.origin}${url.pathname.replace(/\/+$/, '')}/api`,
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    username,
    vhost,
  };
}

/** A path of names that may hold anything. */
export const pathOf = (...names: readonly string[]): string =>
  names.map((name) => `/${encodeURIComponent(name)}`).join('');

interface Request {
  readonly method?: string;
  readonly body?: unknown;
}

/** One request, answered within ten seconds. @throws BrokerUnavailableError */
export async function requestManagement(
  access: ManagementAccess,
  path: string,
  request: Request = {},
): Promise<Response> {
  try {
    return await fetchManagement(access, path, request);
  } catch (error) {
    throw new BrokerUnavailableError((error as Error).message);
  }
}

/** As `requestManagement`, for those who can do without. @throws an error that says why nobody answers */
export async function fetchManagement(
  { base, authorization }: ManagementAccess,
  path: string,
  { method = 'GET', body }: Request = {},
): Promise<Response> {
  try {
    return await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    const { cause, message } = error as Error;
    const detail = cause instanceof Error && cause.message ? cause.message : message;
    throw new Error(`management API: ${detail}`, { cause: error });
  }
}
