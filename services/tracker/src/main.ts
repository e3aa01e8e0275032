import { runService } from '@warren/runtime';
import { trackerSettings } from './config.ts';
import { createService } from './service.ts';

await runService({ name: 'tracker', config: trackerSettings, create: createService });
