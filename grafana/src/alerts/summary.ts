type System = 'prometheus' | 'grafana';

const PLACEHOLDER = /\{(\w+)(?:\|(\w+))?\}/g;

/** Where the templates of either find the value of the expression. */
const VALUE: Readonly<Record<System, string>> = {
  prometheus: '.Value',
  grafana: '.Values.value.Value',
};

/**
 * The template of a summary. `{queue}` becomes a label, `{value}` and `{value|humanizeDuration}` the value. Without
 * Go's `$` variables: Grafana would take those for environment variables in a file.
 */
export function summaryFor(system: System, summary: string): string {
  return summary.replaceAll(PLACEHOLDER, (_, name: string, format = 'humanize') =>
    name === 'value' ? `{{ ${format} ${VALUE[system]} }}` : `{{ .Labels.${name} }}`,
  );
}
