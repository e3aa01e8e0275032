import type { ConnectionSettings } from '@warren/broker';
import { ConfigInvalidError } from '@warren/contracts';
import { z } from 'zod';
import { managementAccess, pathOf, requestManagement } from './management-access.ts';

/** A binding as the management API tells of it. */
export interface SeenBinding {
  readonly destination: string;
  readonly destinationType: string;
  readonly routingKey: string;
}

/** RabbitMQ's management API, as far as bindings go. */
export interface Management {
  /** Bindings that lead away from an exchange; none where there is no such exchange. */
  bindingsFrom(exchange: string): Promise<SeenBinding[]>;
}

const SETTING = 'WARREN_MANAGEMENT_URL';

const bindings = z.array(
  z.object({ destination: z.string(), destination_type: z.string(), routing_key: z.string() }),
);

/** Calls of its functions throw BrokerUnavailableError, or ConfigInvalidError naming WARREN_MANAGEMENT_URL. */
export function createManagement(address: string, connection: ConnectionSettings): Management {
  const access = managementAccess(address, connection);
  return {
    async bindingsFrom(exchange) {
      const path = `/exchanges${pathOf(access.vhost, exchange)}/bindings/source`;
      const answer = await bodyOf(await requestManagement(access, path));
      const found = answer === undefined ? [] : bindings.parse(answer);
      return found.map(({ destination, destination_type, routing_key }) => ({
        destination,
        destinationType: destination_type,
        routingKey: routing_key,
      }));
    },
  };
}

/** Undefined for what is not there. */
async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 404) return undefined;
  if (response.status === 401 || response.status === 403) {
    throw new ConfigInvalidError(SETTING, 'the management API refused the user or its password');
  }
  if (!response.ok) {
    throw new ConfigInvalidError(SETTING, `the management API answered ${response.status}`);
  }
  try {
    return await response.json();
  } catch {
    throw new ConfigInvalidError(SETTING, 'what answers there is no management API');
  }
}
