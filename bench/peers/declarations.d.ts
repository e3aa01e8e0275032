/** As much of rascal as the bench uses: it has no declarations of its own. */
declare module 'rascal' {
  import type { EventEmitter } from 'node:events';

  export interface BrokerAsPromised extends EventEmitter {
    publish(name: string, content: unknown): Promise<EventEmitter>;
    subscribe(name: string): Promise<EventEmitter>;
    shutdown(): Promise<void>;
  }

  export function withDefaultConfig(config: object): object;

  export const BrokerAsPromised: { create(config: object): Promise<BrokerAsPromised> };
}
