import { runService } from '@warren/runtime';
import { gatewaySettings } from './config.ts';
import { createService } from './service.ts';

await runService({ name: 'gateway', config: gatewaySettings, create: createService });
