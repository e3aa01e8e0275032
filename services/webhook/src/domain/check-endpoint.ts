import { NonRetryableError } from '@warren/contracts';
import { type AddressRule, type TargetProblem, targetProblem } from '@warren/outbound';

export interface EndpointRules {
  readonly mayAsk: AddressRule;
  readonly allowHttp: boolean;
}

/** Below it are the ports of other protocols, whose servers might make something of a request. */
const FIRST_OTHER_PORT = 1_024;
const USUAL_PORTS = ['', '80', '443'];

const PROBLEMS: Readonly<Record<Exclude<TargetProblem, 'address'>, string>> = {
  protocol: 'the URL is neither http nor https',
  credentials: 'the URL has a user or a password',
};

/** What is said of every address that is refused, whether it was written down or found by name. */
export function forbiddenAddressError(host: string): NonRetryableError {
  const allow = 'WEBHOOK_ALLOW_NETWORKS allows more';
  return new NonRetryableError(`webhook: ${host} is not at a public address (${allow})`);
}

/**
 * The URL of an endpoint, if anything may be sent there. Names are looked at once they are resolved; here it is what is
 * written down.
 * @throws NonRetryableError
 */
export function checkEndpoint(text: string, { mayAsk, allowHttp }: EndpointRules): URL {
  if (!URL.canParse(text)) throw new NonRetryableError('webhook: not a URL');
  const url = new URL(text);
  const problem = targetProblem(url, mayAsk);
  if (problem === 'address') throw forbiddenAddressError(url.host);
  if (problem) throw new NonRetryableError(`webhook: ${PROBLEMS[problem]}`);
  if (url.protocol === 'http:' && !allowHttp) {
    throw new NonRetryableError('webhook: the URL is not https (WEBHOOK_ALLOW_HTTP=1 allows http)');
  }
  if (!USUAL_PORTS.includes(url.port) && Number(url.port) < FIRST_OTHER_PORT) {
    throw new NonRetryableError(
      `webhook: port ${url.port} is neither 80, 443 nor from ${FIRST_OTHER_PORT} on`,
    );
  }
  return url;
}
