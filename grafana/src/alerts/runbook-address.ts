/** The path of the document that has a section for each alert. */
export const RUNBOOK = 'docs/runbook.md';

/** What says where that document is read, for `npm run grafana` and `npm run k8s`. */
export const RUNBOOK_SETTING = 'WARREN_RUNBOOK_URL';

/**
 * The address that alerts link to, without the anchor. Unset: the path in the repository.
 * @throws an error that names the setting, where its value is no address to which an anchor can be added
 */
export function runbookAddress(env: Readonly<Record<string, string | undefined>>): string {
  const address = env[RUNBOOK_SETTING];
  if (!address) return RUNBOOK;
  // Braces and dollars would be taken for templates and variables where rules are read.
  if (!/^https?:\/\/[^\s#{}$]+$/.test(address) || !URL.canParse(address)) {
    throw new Error(`${RUNBOOK_SETTING} must be an http:// or https:// URL without an anchor`);
  }
  return address;
}
