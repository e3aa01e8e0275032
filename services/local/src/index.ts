export { type LocalConfig, localSettings } from './config.ts';
export { createService, type LocalDeps } from './service.ts';
