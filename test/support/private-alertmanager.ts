import { type PrivateServer, startServer } from './private-server.ts';

/** One alert as Alertmanager holds it. */
export interface HeldAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly status: {
    readonly state: 'unprocessed' | 'active' | 'suppressed';
    /** Fingerprints of the alerts that silence it. */
    readonly inhibitedBy: readonly string[];
  };
  readonly fingerprint: string;
}

/** An Alertmanager that belongs to a test. */
export interface PrivateAlertmanager extends Pick<PrivateServer, 'address' | 'stop'> {
  /** What fires now, told or not. */
  alerts(): Promise<readonly HeldAlert[]>;
}

/** Starts it with this configuration, and waits until it answers. */
export async function startAlertmanager(
  program: string,
  config: string,
): Promise<PrivateAlertmanager> {
  const { address, url, stop } = await startServer({
    name: 'Alertmanager',
    program,
    arguments: (port) => [
      '--config.file=alertmanager.yml',
      '--storage.path=data',
      `--web.listen-address=127.0.0.1:${port}`,
      // One alone, which talks to no others.
      '--cluster.listen-address=',
      '--log.level=warn',
    ],
    files: { 'alertmanager.yml': config },
  });
  return {
    address,
    alerts: async () => (await (await fetch(`${url}/api/v2/alerts`)).json()) as HeldAlert[],
    stop,
  };
}
