import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ALERT_GROUPS, ALERTS, prometheusRules } from '../../grafana/src/index.ts';
import { EXPECTED, EXPECTED_OF_BROKER } from '../support/live-alerts/expected.ts';
import { repositoryFile } from '../support/repository-file.ts';
import {
  SHORTER,
  shortenedAlertmanager,
  shortenedExpr,
  shortenedRules,
} from '../support/shortened-alerting.ts';
import { tableRows } from './markdown-table.ts';

const live = [
  ...EXPECTED.map(({ alert, fault }) => [alert, fault]),
  ...Object.entries(EXPECTED_OF_BROKER),
];

describe('the alerts that are made to happen', () => {
  it('are all that page, and others', () => {
    const pages = ALERTS.filter(({ severity }) => severity === 'page').map(({ name }) => name);
    expect(live.map(([alert]) => alert)).toEqual(expect.arrayContaining(pages));
  });

  it('are those that docs/testing.md lists', async () => {
    const rows = tableRows(await repositoryFile('docs/testing.md'), '## Alerts, live');
    expect(rows).toEqual(live);
  });
});

interface Rules {
  readonly groups: readonly { readonly rules: readonly Record<string, string>[] }[];
}
const rulesOf = ({ groups }: Rules) => groups.flatMap(({ rules }) => rules);

describe('the rules that the live test of alerts runs', () => {
  it('look back a sixtieth as long, and compare with what the product does', () => {
    expect(SHORTER).toBe(60);
    const expr = 'increase(a_total{le=~"60(\\\\.0)?"}[10m]) > 300 and last_over_time(b[1d]) > 5';
    expect(shortenedExpr(expr)).toBe(
      'increase(a_total{le=~"60(\\\\.0)?"}[10000ms]) > 300 and last_over_time(b[1440000ms]) > 5',
    );
  });

  it('never look back over fewer than a few scrapes', () => {
    expect(shortenedExpr('rate(a[1m])')).toBe('rate(a[5000ms])');
  });

  it('are all of the product’s, and otherwise as they are', () => {
    const short = rulesOf(shortenedRules(ALERT_GROUPS) as Rules);
    const real = rulesOf(prometheusRules(ALERT_GROUPS) as Rules);
    expect(short.map(({ alert }) => alert)).toEqual(ALERTS.map(({ name }) => name));
    for (const [index, { expr, for: wait, keep_firing_for: keep, ...rest }] of short.entries()) {
      const {
        expr: realExpr = '',
        for: realWait,
        keep_firing_for: realKeep,
        ...same
      } = {
        ...real[index],
      };
      expect(rest).toEqual(same);
      expect(expr?.replaceAll(/\[\d+ms\]/g, '[]')).toBe(
        realExpr.replaceAll(/\[\d+[smhd]\]/g, '[]'),
      );
      expect([wait, keep].map((one) => one !== undefined)).toEqual(
        [realWait, realKeep].map((one) => one !== undefined),
      );
    }
    const waits = Object.fromEntries(short.map(({ alert, for: wait }) => [alert, wait]));
    expect(waits['RabbitMQDown']).toBe('1000ms');
    expect(waits['JobDeadLettersWaiting']).toBe('15000ms');
  });
});

it('Alertmanager groups and inhibits as the product’s does, in a sixtieth of the time, and tells a webhook', async () => {
  const real = await repositoryFile('deploy/alertmanager/alertmanager.yml');
  const { route, receivers, ...rest } = parse(
    shortenedAlertmanager(real, (receiver) => `http://127.0.0.1:1/${receiver}`),
  );
  expect(rest).toEqual({ inhibit_rules: parse(real).inhibit_rules });
  expect(route).toMatchObject({
    receiver: 'tickets',
    group_wait: '500ms',
    group_interval: '5000ms',
  });
  expect(
    route.routes.map(({ repeat_interval }: Record<string, string>) => repeat_interval),
  ).toEqual(['5000ms', '60000ms']);
  expect(receivers).toContainEqual({
    name: 'pages',
    webhook_configs: [{ url: 'http://127.0.0.1:1/pages', send_resolved: true }],
  });
  expect(receivers).toHaveLength(3);
});
