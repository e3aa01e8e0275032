/** The same thing has the same colour in every panel, and trouble is never green. By names of series. */
export const OUTCOME_COLORS: Readonly<Record<string, string>> = {
  published: 'blue',
  confirmed: 'green',
  succeeded: 'green',
  failed: 'orange',
  timeout: 'purple',
  dead_lettered: 'red',
  error: 'red',
  nacked: 'dark-red',
  returned: 'orange',
  cancelled: 'light-blue',
  expired: 'yellow',
};

/** Names of columns, for the labels that tables show. */
export const LABEL_NAMES: Readonly<Record<string, string>> = {
  about: 'About',
  alertname: 'Alert',
  error_type: 'Error',
  job_type: 'Job type',
  queue: 'Queue',
  severity: 'Severity',
};
