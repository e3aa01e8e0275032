import { runService } from '@warren/runtime';
import { emailSettings } from './config.ts';
import { createService } from './service.ts';

await runService({ name: 'email', config: emailSettings, create: createService });
