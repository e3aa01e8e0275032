import { documentsSettings } from '@warren/documents';
import { emailSettings } from '@warren/email';
import { gatewaySettings } from '@warren/gateway';
import { paymentSettings } from '@warren/payment';
import type { ConfigDefinition } from '@warren/runtime';
import { trackerSettings } from '@warren/tracker';
import { webhookSettings } from '@warren/webhook';

/** What each service that runs as a process of its own can be told, by its name. */
export const SERVICE_SETTINGS: Readonly<Record<string, ConfigDefinition>> = {
  gateway: gatewaySettings,
  email: emailSettings,
  documents: documentsSettings,
  payment: paymentSettings,
  webhook: webhookSettings,
  tracker: trackerSettings,
};

/** What a service allows itself beyond its grace time before it exits all the same, in seconds. */
export const BEYOND_GRACE_S = 5;
