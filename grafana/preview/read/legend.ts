type Labels = Readonly<Record<string, string>>;

/** The name of a series: `{{label}}` filled in; without a template its labels, as Prometheus writes them. */
export function legendFor(template: string, labels: Labels): string {
  if (template === '') return selectorOf(labels);
  return template.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => labels[name] ?? '');
}

function selectorOf({ __name__: metric = '', ...labels }: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${metric}{${pairs.join(', ')}}`;
}
