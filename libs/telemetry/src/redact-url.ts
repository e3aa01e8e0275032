import { REDACTED } from '@warren/contracts';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const SECRET_PARAMETER =
  /([?&][\w-]*(?:password|passwd|token|secret|api_?key|signature)=)[^&#\s]*/gi;
/** A list such as `amqp://a,amqp://b` is several URLs. */
const NEXT_IN_LIST = /,(?=[a-z][a-z0-9+.-]*:\/\/)/i;

/**
 * Hides the password of a URL (or of each URL in a comma-separated list) and secret query parameters.
 * Where it cannot be sure what the password is, it hides everything from `//` to the last `@`. Never throws.
 */
export function redactUrl(url: string): string {
  return url.split(NEXT_IN_LIST).map(redactOne).join(',');
}

/** A run without white space, quotes or angle brackets that begins with a scheme. */
const URL_IN_TEXT = /[a-z][a-z0-9+.-]{1,30}:\/\/[^\s"'<>]+/gi;

/** `text` with every URL in it treated by `redactUrl`. */
export function redactUrlsIn(text: string): string {
  return text.includes('://') ? text.replace(URL_IN_TEXT, redactUrl) : text;
}

function redactOne(url: string): string {
  const scheme = SCHEME.exec(url)?.[0] ?? '';
  const rest = url.slice(scheme.length);
  const at = rest.lastIndexOf('@');
  const hidden = at < 0 ? rest : `${redactUserInfo(url, rest.slice(0, at))}${rest.slice(at)}`;
  return `${scheme}${hidden}`.replace(SECRET_PARAMETER, `$1${REDACTED}`);
}

/** `beforeAt` is what stands before the last `@`: user and password, if the URL is well formed. */
function redactUserInfo(url: string, beforeAt: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && isPlainlyPath(parsed, beforeAt)) return beforeAt;
  const colon = beforeAt.indexOf(':');
  const certain = parsed && colon > 0 && !/[/?#@]/.test(beforeAt);
  if (!certain) return parsed && /^[^:/?#@]*$/.test(beforeAt) ? beforeAt : REDACTED;
  return `${beforeAt.slice(0, colon)}:${REDACTED}`;
}

/** On the web an `@` in a path is common. In a connection URL it is a password that was not encoded. */
const isPlainlyPath = (parsed: URL, beforeAt: string): boolean =>
  /^https?:$/.test(parsed.protocol) &&
  parsed.username === '' &&
  parsed.password === '' &&
  beforeAt.includes('/');
