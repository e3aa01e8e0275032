import type { Alert } from './alert.ts';
import { summaryFor } from './summary.ts';

/** The path of the document that has a section for each alert. */
export const RUNBOOK = 'docs/runbook.md';

/** GitHub's anchor of a heading that is the alert's name. */
export const runbookUrl = ({ name }: Alert): string => `${RUNBOOK}#${name.toLowerCase()}`;

/** What an alert tells whoever it calls. */
export const annotationsFor = (system: 'prometheus' | 'grafana', alert: Alert) => ({
  summary: summaryFor(system, alert.summary),
  runbook_url: runbookUrl(alert),
});
