import { z } from 'zod';

const EXPECTED = 'amqp:// or amqps:// URLs, separated by commas';
const UNCLEAR =
  'URLs in which every @ : / ? # of user and password is percent-encoded (or set AMQP_USERNAME and AMQP_PASSWORD)';

/** One or more broker URLs, as a list. The messages never repeat the value: it may hold a password. */
export const brokerUrls = () =>
  z.string(EXPECTED).transform((value, context) => {
    const urls = value.split(',').map((url) => url.trim());
    const problem = urls.map(problemOf).find((found) => found !== undefined);
    if (problem) context.addIssue({ code: 'custom', message: problem });
    return urls as readonly string[];
  });

function problemOf(url: string): string | undefined {
  if (!/^amqps?:\/\/./.test(url)) return EXPECTED;
  if (!URL.canParse(url)) return url.includes('@') ? UNCLEAR : EXPECTED;
  const parsed = new URL(url);
  // Without this, `amqp://u:1/a@host` would quietly mean the host `u`.
  if (`${parsed.pathname}${parsed.search}${parsed.hash}`.includes('@')) return UNCLEAR;
  return parsed.hostname === '' ? EXPECTED : undefined;
}
