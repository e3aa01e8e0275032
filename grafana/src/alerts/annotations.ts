import type { Alert } from './alert.ts';
import { runbookAddress } from './runbook-address.ts';
import { summaryFor } from './summary.ts';

const ADDRESS = runbookAddress(process.env);

/** The address of an alert's section in the runbook: an anchor that is the alert's name, as GitHub and GitLab make it. */
export const runbookUrl = ({ name }: Alert, address: string = ADDRESS): string =>
  `${address}#${name.toLowerCase()}`;

/** What an alert tells whoever it calls. */
export const annotationsFor = (
  system: 'prometheus' | 'grafana',
  alert: Alert,
  address: string = ADDRESS,
) => ({
  summary: summaryFor(system, alert.summary),
  runbook_url: runbookUrl(alert, address),
});
