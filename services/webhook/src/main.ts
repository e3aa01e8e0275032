import { runService } from '@warren/runtime';
import { webhookSettings } from './config.ts';
import { createService } from './service.ts';

await runService({ name: 'webhook', config: webhookSettings, create: createService });
