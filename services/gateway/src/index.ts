export { type GatewayConfig, gatewaySettings } from './config.ts';
export { createService, type GatewayDeps, type GatewayService } from './service.ts';
