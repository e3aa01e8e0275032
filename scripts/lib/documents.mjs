import { adminSettings, cliDoc } from '@warren/admin';
import { catalog } from '@warren/catalog';
import { documentsSettings } from '@warren/documents';
import { emailSettings } from '@warren/email';
import { gatewaySettings } from '@warren/gateway';
import { localSettings } from '@warren/local';
import { paymentSettings } from '@warren/payment';
import {
  brokerSettings,
  historySettings,
  meteringSettings,
  opsSettings,
  storeSettings,
  tracingSettings,
  workerSettings,
} from '@warren/runtime';
import { metricsDoc } from '@warren/telemetry';
import { trackerSettings } from '@warren/tracker';
import { webhookSettings } from '@warren/webhook';
import { configurationDoc } from './configuration-doc.mjs';

const GROUPS = [
  { title: 'Every process', text: 'Logs, probes, stopping.', settings: opsSettings },
  {
    title: 'Traces',
    text: "Of every process, and of the command `warren`; the names are OpenTelemetry's. Its SDK reads further ones by itself: `OTEL_BSP_*` for its batches, `OTEL_SPAN_*_LIMIT`, `OTEL_EXPORTER_OTLP_TIMEOUT`, `…_COMPRESSION`, `…_CERTIFICATE`. See [tracing.md](tracing.md).",
    settings: tracingSettings,
  },
  {
    title: "OpenTelemetry's metrics",
    text: 'Of every service; collector, headers and resource are those of traces, above. See [opentelemetry.md](opentelemetry.md).',
    settings: meteringSettings,
  },
  { title: 'RabbitMQ', text: 'Of every process that talks to it.', settings: brokerSettings },
  {
    title: 'History',
    text: 'Of every process that tells or reads what happens to jobs.',
    settings: historySettings,
  },
  { title: 'Store', text: 'Of every process that uses it.', settings: storeSettings },
  {
    title: 'Workers',
    text: 'Of every process that handles jobs. Processes can share them: what is said of job types that a process does not handle, it leaves alone.',
    settings: workerSettings(catalog),
  },
  { title: 'Gateway', text: 'Besides those above.', settings: gatewaySettings },
  { title: 'E-mail service', text: 'Besides those above.', settings: emailSettings },
  { title: 'Documents service', text: 'Besides those above.', settings: documentsSettings },
  {
    title: 'Payment service',
    text: 'Besides those above; DATABASE_URL must be set unless it runs in one process with the rest.',
    settings: paymentSettings,
  },
  {
    title: 'Webhook service',
    text: 'Besides those above; one of WEBHOOK_SECRETS and WEBHOOK_SECRETS_FILE must be set unless it runs in one process with the rest.',
    settings: webhookSettings,
  },
  {
    title: 'Tracker',
    text: 'Besides those above; DATABASE_URL must be set unless it runs in one process with the rest.',
    settings: trackerSettings,
  },
  {
    title: 'Command `warren`',
    text: 'Besides those of RabbitMQ and of the store.',
    settings: adminSettings,
  },
  {
    title: 'Everything in one process (`npm start`)',
    text: 'All of those above; these are new or differ.',
    settings: localSettings,
  },
];

/** The documents that are generated from tables in the code: their text by their path. */
export const documents = {
  'docs/cli.md': cliDoc(),
  'docs/configuration.md': configurationDoc(GROUPS),
  'docs/metrics.md': metricsDoc(),
};
