import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS, type MetricSpec } from '@warren/telemetry';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  ALERTS,
  ANNOTATIONS,
  DASHBOARDS,
  generatedFiles,
  LOGS,
  RECORDINGS,
  RUNBOOK,
  runbookUrl,
  summaryFor,
  TRACES,
  uidOf,
} from '../../grafana/src/index.ts';
import { composeFile, ROOT, requiredVariables } from './compose-file.ts';

const GENERATED = join(ROOT, 'grafana/generated');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const panels = DASHBOARDS.flatMap(({ uid, sections }) =>
  sections.flatMap((section) => section.panels.map((panel) => ({ ...panel, dashboard: uid }))),
);
const expressions = [
  ...ALERTS.map(({ expr }) => expr),
  ...panels.flatMap(({ queries }) => queries.map(({ expr }) => expr)),
  ...ANNOTATIONS.map(({ expr }) => expr),
  ...RECORDINGS.map(({ expr }) => expr),
];

it('grafana/generated is what the source makes', () => {
  const onDisk = readdirSync(GENERATED, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(GENERATED.length + 1));
  expect(onDisk.sort()).toEqual(Object.keys(generatedFiles).sort());
  const stale = onDisk.filter(
    (path) => readFileSync(join(GENERATED, path), 'utf8') !== generatedFiles[path],
  );
  expect(stale, 'run `npm run grafana`').toEqual([]);
});

describe('alerts', () => {
  it('have names of their own, and at most eight of them page', () => {
    expect(new Set(ALERTS.map(({ name }) => name)).size).toBe(ALERTS.length);
    expect(ALERTS.filter(({ severity }) => severity === 'page').length).toBeLessThanOrEqual(8);
  });

  it('have each a section in the runbook that says how urgent it is, where to look and what to do', () => {
    const sections = read(RUNBOOK).split(/^### /m).slice(1);
    const names = sections.map((section) => section.slice(0, section.indexOf('\n')));
    expect(names).toEqual(ALERTS.map(({ name }) => name));
    for (const [index, { severity }] of ALERTS.entries()) {
      const urgency = { page: 'Page. ', ticket: 'Ticket. ', none: 'Always on. ' }[severity];
      expect(sections[index]).toContain(`\n\n${urgency}`);
      expect(sections[index]).toMatch(/\*Look\*[\s\S]*\*(Do|do)\*/);
    }
  });

  it('name the anchor of that section', () => {
    const alert = { name: 'JobOutboxLag', severity: 'page', expr: '', summary: '' } as const;
    expect(runbookUrl(alert, RUNBOOK)).toBe('docs/runbook.md#joboutboxlag');
  });

  it('are told by templates without variables that Grafana would fill in from its environment', () => {
    expect(summaryFor('grafana', '{queue}: {value|humanizeDuration}')).toBe(
      '{{ .Labels.queue }}: {{ humanizeDuration .Values.value.Value }}',
    );
    expect(generatedFiles['grafana-rules.yml']).not.toContain('$');
  });

  it('are the same in Grafana, under ids that it takes', () => {
    const { groups } = parse(generatedFiles['grafana-rules.yml'] ?? '') as {
      groups: { rules: { uid: string; title: string }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.map(({ title }) => title)).toEqual(ALERTS.map(({ name }) => name));
    expect(new Set(rules.map(({ uid }) => uid)).size).toBe(ALERTS.length);
    for (const { uid } of rules) expect(uid).toMatch(/^[a-z-]{1,40}$/);
    expect(uidOf('RabbitMQDown')).toBe('rabbitmq-down');
  });
});

describe('expressions', () => {
  it('name metrics of the table, and labels that these have', () => {
    const problems = expressions.flatMap((expr) =>
      [...expr.matchAll(/\b(jobs_\w+)(?:\{([^}]*)\})?/g)].flatMap(([, name = '', matchers = '']) =>
        problemsOf(name, labelsIn(matchers)),
      ),
    );
    expect(problems).toEqual([]);
  });

  it('name recorded series that there are, all of them', () => {
    const named = expressions.flatMap((expr) => expr.match(/\bwarren:[\w:]+/g) ?? []);
    expect(new Set(named)).toEqual(new Set(RECORDINGS.map(({ record }) => record)));
  });

  it('match no single edge of a bucket: Prometheus 2 writes 60, and 3 writes 60.0', () => {
    expect(expressions.filter((expr) => /\ble\s*(?:=|!)/.test(expr))).toEqual([]);
  });
});

/** `service` and `instance` come from the scrape. */
const FROM_SCRAPE = ['service', 'instance'];
const labelsIn = (matchers: string) =>
  [...matchers.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, l]) => l ?? '');

function problemsOf(name: string, labels: readonly string[]): string[] {
  const spec = metricNamed(name);
  if (!spec) return [`no metric ${name}`];
  const known = [...Object.keys(spec.labels), ...FROM_SCRAPE, ...(spec.buckets ? ['le'] : [])];
  return labels.filter((label) => !known.includes(label)).map((label) => `${name}: ${label}`);
}

function metricNamed(name: string): MetricSpec | undefined {
  const table: Readonly<Record<string, MetricSpec>> = METRICS;
  if (table[name]) return table[name];
  const histogram = table[name.replace(/_(bucket|count|sum)$/, '')];
  return histogram?.buckets && histogram;
}

describe.each(DASHBOARDS)('the dashboard $title', ({ uid, variables, choices = [] }) => {
  const own = panels.filter(({ dashboard }) => dashboard === uid);
  const json = JSON.parse(generatedFiles[`dashboards/${uid}.json`] ?? '') as {
    panels: { id: number; gridPos: { x: number; y: number; w: number; h: number } }[];
    annotations: {
      list: { name: string; expr: string; textFormat: string; target: { expr: string } }[];
    };
  };

  it('explains every panel, and gives no two the same name', () => {
    expect(new Set(own.map(({ title }) => title)).size).toBe(own.length);
    for (const { description, queries } of own) {
      expect(description.length).toBeGreaterThan(10);
      expect(queries.length).toBeGreaterThan(0);
    }
  });

  it('uses all its variables, and none that it has not', () => {
    const used = own.flatMap(({ queries }) =>
      queries.flatMap(({ expr }) => [...expr.matchAll(/\$(\w+)/g)].map(([, name]) => name)),
    );
    expect([...new Set(used)].filter((name) => name !== '__rate_interval').sort()).toEqual(
      [...variables, ...choices].map(({ name }) => name).sort(),
    );
  });

  it('has lines for deploys and for circuits that open, told by labels that they have', () => {
    expect(json.annotations.list.map(({ name }) => name)).toEqual([
      'Deploys',
      'Circuits that opened',
    ]);
    for (const { expr, textFormat, target } of json.annotations.list) {
      expect(target.expr).toBe(expr);
      const [, by = ''] = /by \(([^)]*)\)/.exec(expr) ?? [];
      const told = [...textFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
      expect(told).toEqual(by.split(', '));
    }
  });

  it('has no panels that share an id or overlap', () => {
    expect(new Set(json.panels.map(({ id }) => id)).size).toBe(json.panels.length);
    const cells = json.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of json.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});

it('leads from values only to dashboards that there are, for variables that these have', () => {
  const files = Object.entries(generatedFiles).filter(([path]) => path.startsWith('dashboards/'));
  const links = files.flatMap(([, text]) => [...text.matchAll(/"url": "\/d\/([^?]+)\?([^"]*)"/g)]);
  expect(links.length).toBeGreaterThan(0);
  for (const [, uid, query = ''] of links) {
    const variables = DASHBOARDS.find((dashboard) => dashboard.uid === uid)?.variables ?? [];
    const named = [...query.matchAll(/var-(\w+)=/g)].map(([, name]) => name);
    expect(variables.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
  }
});

describe('logs and traces', () => {
  const files = ['queue', 'failures'].map(
    (name) =>
      JSON.parse(generatedFiles[`dashboards/warren-${name}.json`] ?? '') as {
        links: { title: string; url?: string }[];
        templating: { list: { name: string; hide: number }[] };
      },
  );

  it('are a click away from a queue and from job types, for what is chosen', () => {
    for (const { links, templating } of files) {
      const [logs, traces] = links.map(({ url = '' }) => {
        const panes = new URLSearchParams(url.split('?')[1]).get('panes');
        return (JSON.parse(panes ?? '{}') as { a?: Pane }).a;
      });
      expect(logs).toMatchObject({ datasource: '$' + '{logs}', queries: [{ refId: 'A' }] });
      expect(logs?.queries[0]?.expr).toContain('service_name');
      expect(traces).toMatchObject({ datasource: '$' + '{traces}', queries: [{ refId: 'A' }] });
      const names = [...JSON.stringify([logs, traces]).matchAll(/\$\{(\w+)/g)].map(([, n]) => n);
      const known = [...templating.list.map(({ name }) => name), '__from', '__to'];
      expect(known).toEqual(expect.arrayContaining(names));
      // Nothing of them is seen where there are no such data sources.
      for (const { name } of [LOGS, TRACES]) {
        expect(templating.list.find((one) => one.name === name)?.hide).toBe(2);
      }
    }
  });

  it('are where the provisioned data source and the example say', () => {
    const sources = (path: string) => (parse(read(path)) as { datasources: Source[] }).datasources;
    const example = sources('grafana/logs-and-traces.example.yml');
    expect(example.map(({ uid, type }) => [uid, type])).toEqual(
      [LOGS, TRACES].map(({ name, type }) => [name, type]),
    );
    const [prometheus] = sources('grafana/provisioning/datasources/prometheus.yml');
    expect(prometheus?.jsonData['exemplarTraceIdDestinations']).toEqual([
      { name: 'trace_id', datasourceUid: TRACES.name },
    ]);
  });
});

interface Pane {
  readonly datasource: string;
  readonly queries: readonly { readonly expr?: string; readonly query?: string }[];
}

interface Source {
  readonly uid: string;
  readonly type: string;
  readonly jsonData: Readonly<Record<string, unknown>>;
}

describe('what docker-compose.yml gives to Prometheus and Grafana', () => {
  const env = requiredVariables().map((name) => [name, 'a']);
  const { services } = composeFile(Object.fromEntries(env));
  const config = parse(read('deploy/prometheus/prometheus.yml')) as {
    rule_files: string[];
    scrape_configs: {
      job_name: string;
      static_configs?: object[];
      dns_sd_configs?: { names: string[]; type: string; port: number }[];
      relabel_configs?: object[];
    }[];
  };

  const own = Object.keys(services).filter(
    (name) => services[name]?.image === 'warren:local' && services[name]?.entrypoint === undefined,
  );

  it('scrapes every container of each service of Warren, under its name', () => {
    const { static_configs, dns_sd_configs, relabel_configs } =
      config.scrape_configs.find(({ job_name }) => job_name === 'warren') ?? {};
    expect(static_configs).toBeUndefined();
    const [found] = dns_sd_configs ?? [];
    expect(found).toMatchObject({ type: 'A', port: 8081 });
    expect(found?.names.toSorted()).toEqual(own.toSorted());
    expect(relabel_configs).toContainEqual({
      source_labels: ['__meta_dns_name'],
      regex: '(.+)',
      target_label: 'service',
    });
  });

  it('misses every service that is always started', () => {
    const { groups } = parse(read('deploy/prometheus/expected-services.yml')) as {
      groups: { rules: { record: string; expr: string; labels: { service: string } }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    const always = own.filter((name) => services[name]?.profiles === undefined);
    expect(rules.map(({ labels }) => labels.service)).toEqual(always);
    for (const { record, expr } of rules) {
      expect([record, expr]).toEqual(['warren_service_expected', 'vector(1)']);
    }
    const mounts = services['prometheus']?.volumes ?? [];
    const mounted = mounts.map((volume) => volume.split(':')[1]);
    expect(mounted).toEqual(expect.arrayContaining(config.rule_files));
  });

  it('finds the dashboards where they are mounted, and a data source with their uid', () => {
    const { providers } = parse(read('grafana/provisioning/dashboards/warren.yml')) as {
      providers: { options: { path: string } }[];
    };
    const mounts = services['grafana']?.volumes ?? [];
    expect(mounts).toContain(`./grafana/generated/dashboards:${providers[0]?.options.path}:ro`);
    const { datasources } = parse(read('grafana/provisioning/datasources/prometheus.yml')) as {
      datasources: { uid: string }[];
    };
    const file = generatedFiles['dashboards/warren-overview.json'] ?? '';
    expect(file).toContain(`"value": "${datasources[0]?.uid}"`);
    const home = services['grafana']?.environment?.['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH'];
    expect(existsSync(join(GENERATED, 'dashboards', home?.split('/').at(-1) ?? '-'))).toBe(true);
  });

  it('routes and inhibits by names and severities that there are', () => {
    const text = read('deploy/alertmanager/alertmanager.yml');
    const names = [...text.matchAll(/(?:Job|RabbitMQ)[A-Z]\w+/g)].map(([name]) => name);
    expect(names.filter((name) => !ALERTS.some((alert) => alert.name === name))).toEqual([]);
    for (const [, severity] of text.matchAll(/severity = "(\w+)"/g)) {
      expect(ALERTS.some((alert) => alert.severity === severity)).toBe(true);
    }
  });
});
