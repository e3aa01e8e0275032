export { type TrackerConfig, trackerSettings } from './config.ts';
export { createService, type TrackerDeps } from './service.ts';
