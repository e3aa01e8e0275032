import { ConfigInvalidError } from '@warren/contracts';
import { checkTls, type TlsSettings } from './tls-settings.ts';

/** How to reach the broker. Credentials may stand in the URLs or apart from them; apart wins. */
export interface ConnectionSettings {
  /** One or more `amqp://` or `amqps://` URLs of the same broker or cluster, tried in turn. */
  readonly urls: readonly string[];
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly vhost?: string | undefined;
  /** Default 10; RabbitMQ's documentation advises 5 to 20. */
  readonly heartbeatSeconds?: number | undefined;
  readonly tls?: TlsSettings | undefined;
}

/** One host in the form that amqplib takes as an object: nothing in it is escaped or parsed again. */
export interface Endpoint {
  readonly protocol: 'amqp' | 'amqps';
  readonly hostname: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** Percent-encoded: amqplib decodes it, also when given as an object. */
  readonly vhost: string;
  readonly heartbeat: number;
  readonly frameMax: number;
}

/** What amqplib asks for by itself; RabbitMQ 4.1 refuses connections below MIN_FRAME_MAX. */
const DEFAULT_FRAME_MAX = 131_072;
const MIN_FRAME_MAX = 8_192;

/**
 * The endpoints in the order given.
 * @throws ConfigInvalidError naming the setting; the message holds no password
 */
export function resolveEndpoints(settings: ConnectionSettings): Endpoint[] {
  if (settings.tls) checkTls(settings.tls);
  if (settings.urls.length === 0) throw new ConfigInvalidError('AMQP_URL', 'names no broker');
  return settings.urls.map((url) => toEndpoint(url, settings));
}

/**
 * User, password and vhost as they are used at the first host, for access to the broker by other ways.
 * @throws ConfigInvalidError naming the setting
 */
export function credentialsOf(settings: ConnectionSettings): {
  readonly username: string;
  readonly password: string;
  readonly vhost: string;
} {
  const [{ username, password, vhost } = { username: '', password: '', vhost: '' }] =
    resolveEndpoints(settings);
  return { username, password, vhost: decodeURIComponent(vhost) };
}

/** `host:port` for messages and logs. */
export function addressOf(endpoint: Pick<Endpoint, 'hostname' | 'port'>): string {
  const { hostname, port } = endpoint;
  return hostname.includes(':') ? `[${hostname}]:${port}` : `${hostname}:${port}`;
}

function toEndpoint(text: string, settings: ConnectionSettings): Endpoint {
  const url = parseUrl(text);
  const protocol = protocolOf(url);
  return {
    protocol,
    hostname: hostOf(url),
    port: url.port ? Number(url.port) : protocol === 'amqp' ? 5672 : 5671,
    username: settings.username ?? (decode(url.username) || 'guest'),
    password: settings.password ?? (decode(url.password) || 'guest'),
    vhost: encodeURIComponent(settings.vhost ?? vhostOf(text)),
    heartbeat: heartbeatOf(url, settings),
    frameMax: frameMaxOf(url),
  };
}

function parseUrl(text: string): URL {
  try {
    return new URL(text.trim());
  } catch {
    throw new ConfigInvalidError(
      'AMQP_URL',
      'is not a URL such as amqp://host:5672 (give a user or password with special characters as AMQP_USERNAME and AMQP_PASSWORD)',
    );
  }
}

function protocolOf(url: URL): 'amqp' | 'amqps' {
  if (url.protocol === 'amqp:') return 'amqp';
  if (url.protocol === 'amqps:') return 'amqps';
  throw new ConfigInvalidError('AMQP_URL', `expected amqp:// or amqps://, got ${url.protocol}//`);
}

/** In a URL that is used as it stands, an unencoded `/`, `?` or `#` in a password would end the password there. */
function hostOf(url: URL): string {
  if (url.hash || url.search.includes('@')) {
    throw new ConfigInvalidError(
      'AMQP_URL',
      'has a # or ? in it that is not percent-encoded (give a password with special characters as AMQP_PASSWORD)',
    );
  }
  if (!url.hostname) throw new ConfigInvalidError('AMQP_URL', 'names no host');
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * No path and `/` both mean the default vhost `/`; anything else is the percent-encoded name. Read from the text, since
 * URL takes a vhost named `.` or `..` for a step in a path.
 */
function vhostOf(text: string): string {
  const path = /^[^:]+:\/\/[^/?#]*\/([^?#]*)/.exec(text.trim())?.[1];
  return decode(path ?? '') || '/';
}

function heartbeatOf(url: URL, settings: ConnectionSettings): number {
  const heartbeat = settings.heartbeatSeconds ?? numberParam(url, 'heartbeat') ?? 10;
  if (!Number.isInteger(heartbeat) || heartbeat < 1 || heartbeat > 600) {
    throw new ConfigInvalidError(
      'AMQP_HEARTBEAT_SECONDS',
      `expected a whole number from 1 to 600, got ${heartbeat}`,
    );
  }
  return heartbeat;
}

function frameMaxOf(url: URL): number {
  const frameMax = numberParam(url, 'frameMax') ?? DEFAULT_FRAME_MAX;
  if (frameMax < MIN_FRAME_MAX) {
    throw new ConfigInvalidError(
      'AMQP_URL',
      `frameMax=${frameMax} is below ${MIN_FRAME_MAX}, which RabbitMQ 4.1 and later refuse; leave it out`,
    );
  }
  return frameMax;
}

function numberParam(url: URL, name: string): number | undefined {
  const text = url.searchParams.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,9}$/.test(text)) {
    throw new ConfigInvalidError('AMQP_URL', `${name} must be a whole number`);
  }
  return Number(text);
}

/** A lone % in a password that nobody encoded is taken as it stands; URL has encoded other characters around it. */
function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}
