export { type DocumentsConfig, documentsSettings } from './config.ts';
export { createService, type DocumentsDeps } from './service.ts';
