import { ConfigInvalidError } from '@warren/contracts';
import type { Passwords } from '../domain/setup/setup-formats.ts';
import type { PlannedUser, SetupPlan } from '../domain/setup/setup-plan.ts';
import { type ManagementAccess, pathOf, requestManagement } from './management-access.ts';

/** Passwords by user name: those that were chosen hold in any case, those that were made only for users that are new. */
export interface UserPasswords {
  readonly given: Passwords;
  readonly made: Passwords;
}

/**
 * Makes what is missing over the management API, as an administrator: virtual host, users, permissions, policies. A user that
 * exists keeps its password, unless one is given for it. May be repeated.
 * @returns the users that were made
 * @throws BrokerUnavailableError, or ConfigInvalidError naming WARREN_MANAGEMENT_URL where it is refused
 */
export async function applySetup(
  access: ManagementAccess,
  { vhost, users, policies }: SetupPlan,
  { given, made: fresh }: UserPasswords,
): Promise<PlannedUser[]> {
  const made: PlannedUser[] = [];
  await put(access, `/vhosts${pathOf(vhost)}`, {});
  for (const user of users) {
    const path = `/users${pathOf(user.name)}`;
    const isNew = (await requestManagement(access, path)).status === 404;
    const password = given.get(user.name) ?? (isNew ? fresh.get(user.name) : undefined);
    if (password !== undefined) await put(access, path, { password, tags: user.tags.join(',') });
    if (isNew) made.push(user);
    await put(access, `/permissions${pathOf(vhost, user.name)}`, user.permissions);
  }
  for (const { name, ...policy } of policies) {
    await put(access, `/policies${pathOf(vhost, name)}`, { ...policy, 'apply-to': 'queues' });
  }
  return made;
}

async function put(access: ManagementAccess, path: string, body: object): Promise<void> {
  const response = await requestManagement(access, path, { method: 'PUT', body });
  if (response.ok) return;
  const isRefused = response.status === 401 || response.status === 403;
  const why = isRefused ? 'an administrator is needed' : (await response.text()).slice(0, 300);
  throw new ConfigInvalidError(
    'WARREN_MANAGEMENT_URL',
    `the management API refused PUT ${path} (${response.status}): ${why}`,
  );
}
