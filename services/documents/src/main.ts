import { runService } from '@warren/runtime';
import { documentsSettings } from './config.ts';
import { createService } from './service.ts';

await runService({ name: 'documents', config: documentsSettings, create: createService });
