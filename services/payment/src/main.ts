import { runService } from '@warren/runtime';
import { paymentSettings } from './config.ts';
import { createService } from './service.ts';

await runService({ name: 'payment', config: paymentSettings, create: createService });
