import { ConfigInvalidError } from '@warren/contracts';
import type { Passwords } from './setup-formats.ts';
import type { SetupPlan } from './setup-plan.ts';

/** `service=password` entries, separated by commas; undefined where the text is something else, or names a service twice. */
export function readPasswords(value: string): Passwords | undefined {
  const passwords = new Map<string, string>();
  for (const entry of value.split(',').map((part) => part.trim())) {
    const [, service, password] = /^([a-z][a-z0-9-]*)=(\S+)$/.exec(entry) ?? [];
    if (service === undefined || password === undefined || passwords.has(service)) return undefined;
    passwords.set(service, password);
  }
  return passwords;
}

/** Passwords given by service, by the names of the users. @throws ConfigInvalidError for a service that has no user */
export function passwordsOfUsers(given: Passwords, { users }: SetupPlan): Passwords {
  const names = new Map(users.map(({ service, name }) => [service, name]));
  return new Map(
    [...given].map(([service, password]) => {
      const name = names.get(service);
      if (name !== undefined) return [name, password];
      const known = [...names.keys()].join(', ');
      throw new ConfigInvalidError(
        'WARREN_USER_PASSWORDS',
        `there is no service ${service}; there are ${known}`,
      );
    }),
  );
}
