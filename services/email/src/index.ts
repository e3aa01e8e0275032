export { type EmailConfig, emailSettings } from './config.ts';
export { campaignHandlers } from './entry-points/queue/campaign-handlers.ts';
export { createService, type EmailDeps, type EmailService } from './service.ts';
