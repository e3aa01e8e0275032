/** A series with what it had at the times asked for; seconds since 1970. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly (readonly [atSeconds: number, value: number])[];
}

export interface Window {
  readonly fromSeconds: number;
  readonly untilSeconds: number;
  readonly stepSeconds: number;
}

/** What the preview asks a Prometheus. Every method rejects with what it says about a wrong expression. */
export interface Prometheus {
  at(expr: string, atSeconds: number): Promise<Series[]>;
  over(expr: string, window: Window): Promise<Series[]>;
  labelValues(selector: string, label: string, window: Window): Promise<readonly string[]>;
}

interface RawSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}

/** @param url for example `http://127.0.0.1:9090` */
export function prometheusAt(url: string): Prometheus {
  const api = `${url.replace(/\/+$/, '')}/api/v1`;
  const series = async (path: string, form: Record<string, string>) =>
    (await ask<{ result: RawSeries[] }>(`${api}/${path}`, form)).result.map(read);
  return {
    at: (expr, atSeconds) => series('query', { query: expr, time: String(atSeconds) }),
    over: (expr, { fromSeconds, untilSeconds, stepSeconds }) =>
      series('query_range', {
        query: expr,
        start: String(fromSeconds),
        end: String(untilSeconds),
        step: String(stepSeconds),
      }),
    labelValues: (selector, label, { fromSeconds, untilSeconds }) =>
      ask(`${api}/label/${label}/values`, {
        'match[]': selector,
        start: String(fromSeconds),
        end: String(untilSeconds),
      }),
  };
}

const read = ({ metric, value, values }: RawSeries): Series => ({
  labels: metric,
  points: (values ?? (value ? [value] : [])).map(([at, text]) => [at, numberOf(text)]),
});

const numberOf = (text: string): number => (text.endsWith('Inf') ? infinity(text) : Number(text));
const infinity = (text: string) => (text.startsWith('-') ? -Infinity : Infinity);

async function ask<Data>(url: string, form: Record<string, string>): Promise<Data> {
  const response = await fetch(`${url}?${new URLSearchParams(form)}`);
  const answer = (await response.json()) as { status: string; error?: string; data: Data };
  if (answer.status !== 'success') throw new Error(`${form['query'] ?? url}: ${answer.error}`);
  return answer.data;
}
