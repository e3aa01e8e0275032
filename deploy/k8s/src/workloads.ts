import {
  analyseDocument,
  chargePayment,
  deliverWebhook,
  fetchDocument,
  sendCampaign,
  sendCampaignPart,
  sendEmail,
} from '@warren/catalog';
import type { JobDefinition } from '@warren/contracts';

/** Keys of Secrets, which hold what is different everywhere. */
export type SecretKey =
  | 'AMQP_URL'
  | 'AMQP_USERNAME'
  | 'AMQP_PASSWORD'
  | 'DATABASE_URL'
  | 'SMTP_URL'
  | 'PAYMENT_PROVIDER_URL'
  | 'PAYMENT_PROVIDER_KEY'
  | 'WEBHOOK_SECRETS'
  | 'WARREN_API_KEYS';

/** How many pods a service may have. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  /** Jobs that wait in one of its queues for each pod, before another pod is started. */
  readonly backlogPerPod?: number;
}

/** One service as the cluster runs it. */
export interface Workload {
  readonly name: string;
  /** The job types that it handles. */
  readonly jobs: readonly JobDefinition[];
  readonly scale: Scale;
  /** What its Secret holds besides its user of the broker: what it cannot do without, and nothing more. */
  readonly secrets: readonly SecretKey[];
  readonly env: Readonly<Record<string, string>>;
  /** The port that others call. */
  readonly port?: number;
  /** What it keeps on disk, mounted at `/data`: then it has one pod only. */
  readonly diskGi?: number;
  readonly memoryMi: number;
  readonly cpuMilli: number;
}

/** Every service but the one for a single machine. */
export const WORKLOADS: readonly Workload[] = [
  {
    name: 'gateway',
    jobs: [],
    scale: { min: 2, max: 6 },
    // Without keys it refuses an address that others reach.
    secrets: ['DATABASE_URL', 'WARREN_API_KEYS'],
    env: { HOST: '0.0.0.0', PORT: '3000' },
    port: 3_000,
    memoryMi: 384,
    cpuMilli: 250,
  },
  {
    name: 'tracker',
    jobs: [],
    // One works, the other stands by.
    scale: { min: 2, max: 2 },
    secrets: ['DATABASE_URL'],
    env: {},
    memoryMi: 384,
    cpuMilli: 100,
  },
  {
    name: 'email',
    jobs: [sendEmail, sendCampaign, sendCampaignPart],
    scale: { min: 2, max: 10, backlogPerPod: 500 },
    secrets: ['SMTP_URL'],
    env: {},
    memoryMi: 384,
    cpuMilli: 100,
  },
  {
    name: 'documents',
    jobs: [fetchDocument, analyseDocument],
    scale: { min: 1, max: 1 },
    secrets: [],
    env: { WARREN_DATA_DIR: '/data' },
    diskGi: 4,
    memoryMi: 768,
    cpuMilli: 250,
  },
  {
    name: 'payment',
    jobs: [chargePayment],
    scale: { min: 2, max: 6, backlogPerPod: 200 },
    secrets: ['DATABASE_URL', 'PAYMENT_PROVIDER_URL', 'PAYMENT_PROVIDER_KEY'],
    env: {},
    memoryMi: 384,
    cpuMilli: 100,
  },
  {
    name: 'webhook',
    jobs: [deliverWebhook],
    scale: { min: 2, max: 10, backlogPerPod: 500 },
    secrets: ['WEBHOOK_SECRETS'],
    env: {},
    memoryMi: 384,
    cpuMilli: 100,
  },
];
