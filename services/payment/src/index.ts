export { type PaymentConfig, paymentSettings } from './config.ts';
export { createService, type PaymentDeps, type PaymentService } from './service.ts';
