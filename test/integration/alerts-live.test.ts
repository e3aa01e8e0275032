import { canStartPrivateNode } from '@warren/local-broker';
import { eventually } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALERTS, RUNBOOK, runbookUrl } from '../../grafana/src/index.ts';
import type { Notice } from '../support/alert-webhook.ts';
import { EXPECTED } from '../support/live-alerts/expected.ts';
import { keepPublishing, makeFaults } from '../support/live-alerts/faults.ts';
import { type Stage, startStage, WITHIN_MS } from '../support/live-alerts/stage.ts';
import { alertmanagerProgram, prometheusTools } from '../support/prometheus-tools.ts';
import { repositoryFile } from '../support/repository-file.ts';

const RECEIVERS = { page: 'pages', ticket: 'tickets', none: 'watchdog' } as const;
/** A test waits for several alerts at most. */
const timeout = 3 * WITHIN_MS;

const tools = prometheusTools();
const alertmanager = alertmanagerProgram();

/** The rules, routes and inhibitions are the product's; only their waits are shorter (`shortened-alerting.ts`). */
describe.skipIf(!tools || !alertmanager || !canStartPrivateNode())(
  'alerts, from what is wrong to whoever is told',
  () => {
    let stage: Stage;
    let published: Promise<void>;
    const end = new AbortController();

    beforeAll(async () => {
      if (!tools || !alertmanager) return;
      stage = await startStage(tools, alertmanager);
    }, timeout);

    afterAll(async () => {
      end.abort();
      await published;
      await stage?.stop();
    }, timeout);

    it('while all is well the watchdog is told, and nobody else', { timeout }, async () => {
      await expectToBeOf('JobAlertingWatchdog', await told('JobAlertingWatchdog'));
      await eventually('nothing else fires', async () => (await firing()).length === 1, WITHIN_MS);
      stage.webhook.forget();
    });

    describe('while much is wrong', () => {
      beforeAll(async () => {
        published = keepPublishing(stage.here, stage.services, end.signal);
        await makeFaults(stage.here, stage.services);
      }, timeout);

      it.each(EXPECTED)('$alert is told when $fault', { timeout }, async ({ alert, labels }) => {
        await expectToBeOf(alert, await told(alert, labels(stage.here.topology.names)));
      });

      it('an alarm of RabbitMQ pages, says whom it blocks, and holds back what follows from it', {
        timeout,
      }, async () => {
        const blocked = { service: 'shop', connection: 'publish' };
        await stage.node.setMemoryAlarm(true);
        try {
          await expectToBeOf('RabbitMQResourceAlarm', await told('RabbitMQResourceAlarm'));
          await expectToBeOf('JobPublisherBlocked', await told('JobPublisherBlocked', blocked));
          await heldBack('JobQueueNoConsumers', 'RabbitMQResourceAlarm');
        } finally {
          await stage.node.setMemoryAlarm(false);
        }
        await told('JobPublisherBlocked', blocked, 'resolved');
      });

      it('a broker that is gone pages, and holds back what follows from it', {
        timeout,
      }, async () => {
        // What is under way then would be waited for at the end.
        end.abort();
        await published;
        await stage.node.kill();
        await expectToBeOf('RabbitMQDown', await told('RabbitMQDown'));
        await heldBack('JobServiceDisconnected', 'RabbitMQDown', { service: 'shop' });
      });
    });

    const told = (
      alertname: string,
      labels: Notice['labels'] = {},
      status: Notice['status'] = 'firing',
    ): Promise<Notice> =>
      stage.webhook.untilHeard({ labels: { alertname, ...labels }, status }, WITHIN_MS);

    const firing = async () =>
      (await stage.prometheus.alerts()).filter(({ state }) => state === 'firing');

    /** Waits until Alertmanager has an alert that it tells nobody because of another one. */
    const heldBack = (alertname: string, by: string, labels: Notice['labels'] = {}) =>
      eventually(
        `${alertname} is held back by ${by}`,
        async () => {
          const held = await stage.alertmanager.alerts();
          const causes = held.filter((one) => one.labels['alertname'] === by);
          const isMeant = Object.entries({ alertname, ...labels });
          return held
            .filter((one) => isMeant.every(([name, value]) => one.labels[name] === value))
            .some(({ status }) =>
              causes.some(({ fingerprint }) => status.inhibitedBy.includes(fingerprint)),
            );
        },
        WITHIN_MS,
      );
  },
);

/** Whom it reached, what it said and where it points. */
async function expectToBeOf(name: string, { receiver, labels, annotations }: Notice) {
  const alert = ALERTS.find((one) => one.name === name);
  if (!alert) throw new Error(`no alert ${name}`);
  expect(receiver).toBe(RECEIVERS[alert.severity]);
  expect(annotations['runbook_url']).toBe(runbookUrl(alert));
  expect(await repositoryFile(RUNBOOK)).toContain(`\n### ${name}\n`);
  const words = alert.summary.split(/\{\w+(?:\|\w+)?\}/);
  for (const part of words) expect(annotations['summary']).toContain(part);
  const named = Object.entries(labels).filter(([label]) => alert.summary.includes(`{${label}}`));
  for (const [, value] of named) expect(annotations['summary']).toContain(value);
}
