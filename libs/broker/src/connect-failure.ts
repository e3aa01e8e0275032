import { addressOf, type Endpoint } from './connection-settings.ts';

const HINT = 'is it an AMQP 0-9-1 port, and amqp/amqps right?';

/** Node's codes for a server certificate that is in order but of unknown origin. */
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** One sentence that a person can act on, for an error met while connecting. Holds no password. */
export function explainConnectFailure(error: unknown, endpoint: Endpoint | undefined): string {
  const at = endpoint ? addressOf(endpoint) : 'the broker';
  const { code, message } = partsOf(error);
  if (/ACCESS[-_]REFUSED/.test(message)) {
    return `${at} refused user ${JSON.stringify(endpoint?.username ?? '')}: wrong user name or password, or no access to the vhost`;
  }
  // amqplib hides the broker's answer about a vhost and tells only which one it had expected.
  if (/NOT_ALLOWED.*vhost|vhost.*not found|Expected ConnectionOpenOk/i.test(message)) {
    return `${at} has no vhost ${JSON.stringify(decodeURIComponent(endpoint?.vhost ?? ''))}, or user ${JSON.stringify(endpoint?.username ?? '')} may not use it`;
  }
  if (
    /exceeds maxFrameSize|Invalid frame|closed abruptly during opening|wrong version number/.test(
      message,
    )
  ) {
    return `${at}: what answers there does not speak AMQP as it should (${HINT})`;
  }
  if (UNKNOWN_AUTHORITY.has(code)) {
    return `${at}: no authority known here signed its certificate (${message}); give that authority's as tls.ca`;
  }
  switch (code) {
    case 'ECONNREFUSED':
      return `${at}: connection refused (is the broker running?)`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${at}: host name not found`;
    case 'ECONNRESET':
      return `${at}: the connection was reset during the handshake (${HINT})`;
    default:
      return `${at}: ${withoutPassword(message, endpoint)}`;
  }
}

function partsOf(error: unknown): { code: string; message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return partsOf(error.errors[0]);
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  const code = (error as NodeJS.ErrnoException).code;
  return { code: typeof code === 'string' ? code : '', message: error.message || String(code) };
}

function withoutPassword(message: string, endpoint: Endpoint | undefined): string {
  const { password } = endpoint ?? {};
  if (!password) return message;
  return message.replaceAll(password, '***').replaceAll(encodeURIComponent(password), '***');
}
