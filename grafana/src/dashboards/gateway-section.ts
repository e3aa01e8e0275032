import type { Section } from './dashboard.ts';
import { lines } from './panel.ts';

const DURATION = 'jobs_http_request_duration_seconds';
/** Probes and scrapes come all the time, and say nothing of who uses the gateway. */
const CHOSEN = '{service=~"$service",route!~"/healthz|/readyz|/metrics"}';

const quantileOf = (q: number) => ({
  // A route that nobody asked for has no quantile.
  expr: `histogram_quantile(${q}, sum by (le, method, route) (rate(${DURATION}_bucket${CHOSEN}[$__rate_interval]))) >= 0`,
  legend: `p${q * 100} {{method}} {{route}}`,
});

/** What its clients see of the gateway. */
export const GATEWAY: Section = {
  title: 'Gateway',
  panels: [
    lines({
      title: 'Requests by route and answer',
      description:
        '5xx: the gateway, its broker or its store failed. 4xx: the client asked for something wrong. none: the client left first. Probes and scrapes are left out.',
      unit: 'reqps',
      queries: [
        {
          expr: `sum by (method, route, status_class) (rate(${DURATION}_count${CHOSEN}[$__rate_interval])) > 0`,
          legend: '{{status_class}} {{method}} {{route}}',
        },
      ],
    }),
    lines({
      title: 'Time to answer',
      description:
        'Slow to take jobs: the broker confirms late, or the store is slow; see Publishing. Of server-sent events, and of who waits for a job, it is the time until that began.',
      unit: 's',
      queries: [quantileOf(0.5), quantileOf(0.99)],
    }),
  ],
};
