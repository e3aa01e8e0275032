import { createOpsServer, type OpsServer } from '@warren/runtime';
import { createMetrics, type Metrics } from '@warren/telemetry';

/** The services of the live test of alerts. */
export const SERVICES = ['shop', 'stranger', 'workers', 'leaver', 'remote'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** What Prometheus scrapes of each service: metrics of its own, on a port of its own. */
export interface ScrapedServices {
  readonly metrics: Readonly<Record<ServiceName, Metrics>>;
  readonly ops: Readonly<Record<ServiceName, OpsServer>>;
  readonly ports: Readonly<Record<ServiceName, number>>;
  stop(): Promise<void>;
}

/** Serves metrics of which all are still at their beginning. */
export async function serveMetrics(): Promise<ScrapedServices> {
  const metrics = perService((service) =>
    createMetrics({ service, version: 'test', processMetrics: false }),
  );
  const ops = perService((name) =>
    createOpsServer({ host: '127.0.0.1', port: 0, services: {}, metrics: metrics[name] }),
  );
  const ports = {} as Record<ServiceName, number>;
  for (const name of SERVICES) ports[name] = (await ops[name].start()).port;
  return {
    metrics,
    ops,
    ports,
    async stop() {
      await Promise.all(SERVICES.map((name) => ops[name].stop()));
    },
  };
}

const perService = <Value>(make: (name: ServiceName) => Value) =>
  Object.fromEntries(SERVICES.map((name) => [name, make(name)])) as Record<ServiceName, Value>;
