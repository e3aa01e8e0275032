import { parse, stringify } from 'yaml';
import { type Alert, type AlertGroup, prometheusRules } from '../../grafana/src/index.ts';

/**
 * How many times shorter every wait and every look back is in the live test of alerts: a minute is a second. What is compared
 * with, such as 100 jobs or a wait of 60 s, is not changed.
 */
export const SHORTER = 60;

/** How often the live test scrapes and evaluates. */
export const INTERVAL_MS = 1_000;

/** A rate over fewer scrapes would often be none on a busy machine. */
const SHORTEST_RANGE_MS = 5 * INTERVAL_MS;

const MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d+)(ms|s|m|h|d)$/;

/** The rule file of these alerts, shortened. */
export const shortenedRules = (groups: readonly AlertGroup[]): object =>
  prometheusRules(groups.map((group) => ({ ...group, alerts: group.alerts.map(shortenedAlert) })));

const shortenedAlert = (alert: Alert): Alert => ({
  ...alert,
  expr: shortenedExpr(alert.expr),
  ...(alert.for && { for: shortened(alert.for) }),
  ...(alert.keepFiringFor && { keepFiringFor: shortened(alert.keepFiringFor) }),
});

/** An expression with its ranges (`[5m]`) shortened. */
export const shortenedExpr = (expr: string): string =>
  expr.replaceAll(/\[(\w+)\]/g, (_, range: string) => `[${shortened(range, SHORTEST_RANGE_MS)}]`);

function shortened(duration: string, shortestMs = 0): string {
  const [, count, unit] = DURATION.exec(duration) ?? [];
  if (unit === undefined) throw new Error(`no duration: ${duration}`);
  return `${Math.max(shortestMs, (Number(count) * MS[unit as keyof typeof MS]) / SHORTER)}ms`;
}

interface Route extends Record<string, unknown> {
  readonly routes?: readonly Route[];
}

/** A configuration of Alertmanager whose waits are shortened and whose receivers are webhooks. */
export function shortenedAlertmanager(config: string, urlOf: (receiver: string) => string): string {
  const { route, receivers, ...rest } = parse(config) as {
    route: Route;
    receivers: readonly { readonly name: string }[];
  };
  return stringify({
    ...rest,
    route: shortenedRoute(route),
    receivers: receivers.map(({ name }) => ({
      name,
      webhook_configs: [{ url: urlOf(name), send_resolved: true }],
    })),
  });
}

function shortenedRoute({ routes, ...own }: Route): Route {
  const entries = Object.entries(own).map(([key, value]) =>
    /_(wait|interval)$/.test(key) ? [key, shortened(String(value))] : [key, value],
  );
  return {
    ...Object.fromEntries(entries),
    ...(routes && { routes: routes.map(shortenedRoute) }),
  };
}
