import { ConfigInvalidError } from '@warren/contracts';
import type { Passwords } from '../domain/setup/setup-formats.ts';
import type { PlannedUser, SetupPlan } from '../domain/setup/setup-plan.ts';
import { type ManagementAccess, pathOf, requestManagement } from './management-access.ts';

/**
 * Makes what is missing over the management API, as an administrator: virtual host, users, permissions, policies. A user that
 * exists keeps its password. May be repeated.
 * @returns the users that were made
 * @throws BrokerUnavailableError, or ConfigInvalidError naming WARREN_MANAGEMENT_URL where it is refused
 */
export async function applySetup(
  access: ManagementAccess,
  { vhost, users, policies }: SetupPlan,
  passwords: Passwords,
): Promise<PlannedUser[]> {
  const made: PlannedUser[] = [];
  await put(access, `/vhosts${pathOf(vhost)}`, {});
  for (const user of users) {
    const path = `/users${pathOf(user.name)}`;
    const { status } = await requestManagement(access, path);
    if (status === 404) {
      await put(access, path, { password: passwords.get(user.name), tags: user.tags.join(',') });
      made.push(user);
    }
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
