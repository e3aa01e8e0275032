import { runService } from '@warren/runtime';
import { localSettings } from './config.ts';
import { createService } from './service.ts';

await runService({
  name: 'local',
  config: localSettings,
  create: (config, shell) =>
    createService(config, {
      ...shell,
      env: process.env,
      print: (text) => process.stdout.write(`${text}\n`),
    }),
});
