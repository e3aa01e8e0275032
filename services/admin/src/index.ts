export { cliDoc } from './cli-doc.ts';
export { adminSettings } from './config.ts';
export { serviceAccess } from './domain/access/service-access.ts';
export { runAdmin } from './run-admin.ts';
export type { AdminShell } from './shell.ts';
