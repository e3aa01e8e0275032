/** Where a broker came from, in the order in which they are tried. */
export type BrokerOrigin = 'AMQP_URL' | 'localhost' | 'private node' | 'docker';

/** A broker to work with. */
export interface ObtainedBroker {
  readonly url: string;
  readonly origin: BrokerOrigin;
  /** The management page, when it answers. */
  readonly consoleUrl?: string;
  /** Else the command that enables it. */
  readonly consoleHint?: string;
  /** Ends the broker if it was started for this call; leaves any other alone. */
  stop(): Promise<void>;
}

/** How to obtain a broker. */
export interface ObtainBrokerOptions {
  /** Read: `AMQP_URL`, `WARREN_DATA_DIR`, `WARREN_INSTALL`, `PATH`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks a yes-or-no question on a terminal. Leave it out when there is none. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  /** Takes one line about each thing that takes long. */
  readonly log: (line: string) => void;
  /** Whether a broker that is started here keeps its data for the next time. Default: true. */
  readonly keepData?: boolean;
  /** Where a broker on this machine would listen. Default: 127.0.0.1:5672. */
  readonly localBroker?: BrokerAddress;
}

/** A host and the port of AMQP there. */
export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
}

/** The options with their defaults, and whether something may be kept. */
export interface ObtainContext extends ObtainBrokerOptions {
  readonly keepData: boolean;
  readonly localBroker: BrokerAddress;
}

/** The address of a broker's default user. */
export function guestUrl({ host, port }: BrokerAddress): string {
  return `amqp://guest:guest@${host}:${port}`;
}
