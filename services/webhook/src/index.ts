export { type WebhookConfig, webhookSettings } from './config.ts';
export { createService, type WebhookDeps } from './service.ts';
