import { type PrivateServer, startServer } from './private-server.ts';
import type { PrometheusTools } from './prometheus-tools.ts';

/** One series of an answer to a query. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [atSeconds: number, value: string];
}

/** The same over time, without the times at which there was none. */
export interface Samples extends Pick<Sample, 'metric'> {
  readonly values: readonly Sample['value'][];
}

export interface FiringAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: string;
}

/** A Prometheus that belongs to a test. */
export interface PrivatePrometheus extends Pick<PrivateServer, 'url' | 'stop'> {
  /** The series that an expression has now. @throws with what Prometheus says about a wrong one */
  query(expr: string): Promise<readonly Sample[]>;
  /** The series that an expression has had since then, a step apart. */
  since(expr: string, at: Date, stepSeconds: number): Promise<readonly Samples[]>;
  /** Ids of the traces that the histograms of an expression have named since then. */
  tracesIn(expr: string, at: Date): Promise<readonly string[]>;
  alerts(): Promise<readonly FiringAlert[]>;
}

/** Starts it with this configuration and these rules (`rules.yml` in its folder), and waits until it answers. */
export async function startPrometheus(
  { prometheus }: PrometheusTools,
  { config, rules }: { readonly config: string; readonly rules: string },
): Promise<PrivatePrometheus> {
  const { url, stop } = await startServer({
    name: 'Prometheus',
    program: prometheus,
    arguments: (port) => [
      '--config.file=prometheus.yml',
      '--storage.tsdb.path=data',
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
      '--enable-feature=exemplar-storage',
      // An alert that fires before Alertmanager is found is told again after this time.
      '--rules.alert.resend-delay=2s',
    ],
    files: { 'prometheus.yml': config, 'rules.yml': rules },
  });
  return {
    url,
    query: async (expr) =>
      (await ask<{ result: Sample[] }>(`${url}/api/v1/query`, { query: expr })).result,
    since: async (expr, at, stepSeconds) => {
      const window = { start: at.toISOString(), end: new Date().toISOString() };
      const form = { query: expr, ...window, step: `${stepSeconds}` };
      return (await ask<{ result: Samples[] }>(`${url}/api/v1/query_range`, form)).result;
    },
    tracesIn: async (expr, at) => {
      const window = { start: at.toISOString(), end: new Date().toISOString() };
      const series = await ask<{ exemplars: { labels: { trace_id: string } }[] }[]>(
        `${url}/api/v1/query_exemplars`,
        { query: expr, ...window },
      );
      return series.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels.trace_id));
    },
    alerts: async () => (await ask<{ alerts: FiringAlert[] }>(`${url}/api/v1/alerts`)).alerts,
    stop,
  };
}

async function ask<Data>(url: string, form: Record<string, string> = {}): Promise<Data> {
  const response = await fetch(`${url}?${new URLSearchParams(form)}`);
  const answer = (await response.json()) as { status: string; error?: string; data: Data };
  if (answer.status !== 'success') throw new Error(`${form['query']}: ${answer.error}`);
  return answer.data;
}
