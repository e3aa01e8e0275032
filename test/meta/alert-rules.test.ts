import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import {
  ALERTS,
  type Alert,
  prometheusRules,
  RECORDINGS,
  runbookUrl,
} from '../../grafana/src/index.ts';
import { prometheusTools } from '../support/prometheus-tools.ts';
import { ALERT_CASES, type AlertCase } from './alert-cases/index.ts';

const RULES = join(import.meta.dirname, '../../grafana/generated/prometheus-rules.yml');
const DEPLOYED = join(import.meta.dirname, '../../deploy/prometheus');
const tools = prometheusTools();
const named = (name: string) => ALERTS.find((alert) => alert.name === name) as Alert;

it('there is a case for every alert, with something that keeps it quiet', () => {
  expect(Object.keys(ALERT_CASES).sort()).toEqual(ALERTS.map(({ name }) => name).sort());
  const never = Object.entries(ALERT_CASES).filter(
    ([, one]) => Object.keys(one.quiet).length === 0,
  );
  expect(never.map(([name]) => named(name).severity)).toEqual(['none']);
});

describe.skipIf(!tools)('the rules, as promtool of Prometheus sees them', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'warren-rules-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are valid', () => {
    const count = ALERTS.length + RECORDINGS.length;
    expect(promtool('check', 'rules', RULES)).toContain(`${count} rules found`);
  });

  it('are read by a Prometheus whose configuration is valid', () => {
    const config = join(DEPLOYED, 'prometheus.yml');
    expect(promtool('check', 'config', '--syntax-only', config)).toContain('SUCCESS');
  });

  it('miss every service that should be there where none was ever found', () => {
    const alert = named('JobServiceMissing');
    const services = ['documents', 'email', 'gateway', 'tracker', 'webhook'];
    const expected = services.map((service) => ({
      exp_labels: { service, severity: alert.severity },
      exp_annotations: {
        summary: `${service}: none of its processes is found to be scraped`,
        runbook_url: runbookUrl(alert),
      },
    }));
    const rules = [RULES, join(DEPLOYED, 'expected-services.yml')];
    const one = testOf('all are missing', {}, alert, '10m', expected);
    const file = join(folder, 'expected.test.yml');
    writeFileSync(file, stringify({ rule_files: rules, evaluation_interval: '1m', tests: [one] }));
    expect(promtool('test', 'rules', file)).not.toContain('FAILED');
  });

  it('fire when they should, and not otherwise', () => {
    const files = Object.entries(ALERT_CASES).map(([name, one]) => testFile(named(name), one));
    expect(promtool('test', 'rules', ...files)).not.toContain('FAILED');
  });

  it('are seen to fail when a case is wrong', () => {
    const one = { ...(ALERT_CASES['JobOutboxLag'] as AlertCase), fires: [] };
    expect(() => promtool('test', 'rules', testFile(named('JobOutboxLag'), one))).toThrow(/FAILED/);
  });

  /** Writes a test of one rule, beside a file that has this rule alone: with all of them, promtool takes long. */
  function testFile(alert: Alert, one: AlertCase): string {
    const rules = join(folder, `${alert.name}.yml`);
    writeFileSync(rules, stringify(prometheusRules([{ name: 'one', alerts: [alert] }])));
    const file = join(folder, `${alert.name}.test.yml`);
    const content = {
      rule_files: [rules],
      evaluation_interval: '1m',
      tests: testsOf(alert, one),
    };
    writeFileSync(file, stringify(content, { aliasDuplicateObjects: false }));
    return file;
  }

  /** What promtool says. @throws with all of that when it fails */
  function promtool(...args: string[]): string {
    try {
      return execFileSync(tools?.promtool ?? '', args, { encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`promtool ${args.join(' ')}\n${stdout}${stderr}`);
    }
  }
});

function testsOf(alert: Alert, { series, at, fires, alsoFires = {}, quiet }: AlertCase): object[] {
  const expected = fires.map(({ labels, summary }) => ({
    exp_labels: { ...labels, severity: alert.severity },
    exp_annotations: { summary, runbook_url: runbookUrl(alert) },
  }));
  const atOnce = { eval_time: '0m', alertname: alert.name, exp_alerts: [] };
  const firing = {
    ...testOf(`${alert.name} fires`, series, alert, at, expected),
    ...(alert.for && {
      alert_rule_test: [atOnce, { eval_time: at, alertname: alert.name, exp_alerts: expected }],
    }),
  };
  const quietOnes = Object.entries(quiet).map(([why, changes]) =>
    testOf(`${alert.name} is quiet: ${why}`, { ...series, ...changes }, alert, at, []),
  );
  const others = Object.entries(alsoFires).map(([why, changes]) =>
    testOf(`${alert.name} fires: ${why}`, { ...series, ...changes }, alert, at, expected),
  );
  return [firing, ...others, ...quietOnes];
}

const testOf = (
  name: string,
  series: Readonly<Record<string, string | null>>,
  alert: Alert,
  at: string,
  expected: readonly object[],
) => ({
  name,
  interval: '1m',
  input_series: Object.entries(series).flatMap(([one, values]) =>
    values === null ? [] : [{ series: one, values }],
  ),
  alert_rule_test: [{ eval_time: at, alertname: alert.name, exp_alerts: expected }],
});
