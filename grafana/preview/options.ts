import { join } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `usage: npm run grafana:preview -- [options]

Draws the dashboards of grafana/generated with the figures of a real run. It is not Grafana: it shows whether queries
find something, and what units, legends, thresholds and places make of it.
  --seconds N       how long the run takes, and how much is shown (240)
  --prometheus URL  no run: shows what this Prometheus has
  --until T         up to then, in seconds since 1970 (now); with --prometheus
  --interval N      in seconds, between two scrapes (5)
  --queue NAME      for the dashboard of one queue (email.send)
  --out DIR         where pages and screenshots go (dist/grafana-preview)
  --hold            keeps what the run started until Ctrl-C, to draw from it again`;

export interface Options {
  readonly seconds: number;
  readonly prometheusUrl: string | undefined;
  readonly untilSeconds: number | undefined;
  readonly intervalSeconds: number;
  readonly queue: string;
  readonly folder: string;
  readonly isHeld: boolean;
}

/** @throws an error with the usage where arguments are wrong */
export function readOptions(args: readonly string[]): Options {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      args: [...args],
      options: {
        seconds: { ...text, default: '240' },
        prometheus: text,
        until: text,
        interval: { ...text, default: '5' },
        queue: { ...text, default: 'email.send' },
        out: { ...text, default: join(import.meta.dirname, '../../dist/grafana-preview') },
        hold: { type: 'boolean', default: false },
      },
    });
    return {
      seconds: positive('seconds', values.seconds),
      prometheusUrl: values.prometheus,
      untilSeconds: values.until === undefined ? undefined : positive('until', values.until),
      intervalSeconds: positive('interval', values.interval),
      queue: values.queue,
      folder: values.out,
      isHeld: values.hold,
    };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new Error(`--${name}: expected a number above 0`);
}
