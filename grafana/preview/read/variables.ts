import type { VariableFile } from './dashboard-file.ts';

/** What a variable stands for, and how Grafana shows it. */
export interface Choice {
  readonly label: string;
  readonly text: string;
  readonly value: string;
}

/** By the variables' names. */
export type Choices = Readonly<Record<string, Choice>>;

/** Asks for a label's values, as `label_values(selector, label)` does. */
export type LabelValues = (selector: string, label: string) => Promise<readonly string[]>;

/**
 * What the variables of a dashboard stand for: what is wished, else what the file says, else the first value there is,
 * as Grafana chooses when a dashboard is opened.
 */
export async function chooseVariables(
  variables: readonly VariableFile[],
  wished: Readonly<Record<string, string>>,
  labelValues: LabelValues,
): Promise<Choices> {
  const chosen: [string, Choice][] = [];
  for (const variable of variables) {
    if (variable.type === 'datasource') continue;
    chosen.push([variable.name, await choose(variable, wished[variable.name], labelValues)]);
  }
  return Object.fromEntries(chosen);
}

async function choose(
  { label, type, current, allValue = '.*', definition = '' }: VariableFile,
  wish: string | undefined,
  labelValues: LabelValues,
): Promise<Choice> {
  if (wish !== undefined) return { label, text: wish, value: wish };
  if (current?.value === '$__all') return { label, text: current.text, value: allValue };
  if (type === 'custom' && current) return { label, text: current.text, value: current.value };
  const [, selector = '', name = ''] = /^label_values\((.+),\s*(\w+)\)$/.exec(definition) ?? [];
  const [first = ''] = [...(await labelValues(selector, name))].sort();
  return { label, text: first, value: first };
}

/** How Grafana computes `$__rate_interval`. */
export const rateIntervalSeconds = (scrapeSeconds: number, stepSeconds: number): number =>
  Math.max(4 * scrapeSeconds, scrapeSeconds + stepSeconds);

/** The expression with `$name` and `${name}` filled in. @throws where nothing is known by that name */
export function fillIn(expr: string, values: Readonly<Record<string, string>>): string {
  return expr.replaceAll(/\$(?:(\w+)|\{(\w+)\})/g, (_, bare?: string, braced?: string) => {
    const name = bare ?? braced ?? '';
    const value = values[name];
    if (value === undefined) throw new Error(`no variable $${name} for: ${expr}`);
    return value;
  });
}
