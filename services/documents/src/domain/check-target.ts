import { NonRetryableError } from '@warren/contracts';
import { type AddressRule, type TargetProblem, targetProblem } from '@warren/outbound';

const PROBLEMS: Readonly<Record<Exclude<TargetProblem, 'address'>, string>> = {
  protocol: 'neither an http nor an https URL',
  credentials: 'a URL with a user or a password',
};

/** What is said of every address that is refused, whether it was written down or found by name. */
export function privateAddressError(): NonRetryableError {
  const allow = 'DOCUMENT_ALLOW_PRIVATE=1 allows it';
  return new NonRetryableError(`download: the address is not a public one (${allow})`);
}

/**
 * Where a download may go. Names are looked at once they are resolved; here it is what is written in the URL.
 * @param base what a relative URL is relative to
 * @throws NonRetryableError
 */
export function checkTarget(text: string, mayAsk: AddressRule, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new NonRetryableError('download: not a URL');
  const url = new URL(text, base);
  const problem = targetProblem(url, mayAsk);
  if (problem === 'address') throw privateAddressError();
  if (problem) throw new NonRetryableError(`download: ${PROBLEMS[problem]}`);
  return url;
}
