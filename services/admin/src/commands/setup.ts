import { randomBytes } from 'node:crypto';
import { credentialsOf } from '@warren/broker';
import { brokerConnection } from '@warren/runtime';
import { applySetup } from '../data-access/apply-setup.ts';
import { managementAccess } from '../data-access/management-access.ts';
import { brokerVersion } from '../data-access/management-facts.ts';
import { asCommands, asDefinitions, type Passwords } from '../domain/setup/setup-formats.ts';
import { planSetup, type SetupPlan } from '../domain/setup/setup-plan.ts';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { type ResultOptions, showResult } from './show-result.ts';

export interface SetupOptions extends ResultOptions {
  readonly format: string;
  readonly apply?: boolean | undefined;
  /** Of the broker, where it is not asked. */
  readonly for?: string | undefined;
}

/** `warren setup`: what an installation needs at the broker; prints it, or makes it. @throws UsageError */
export async function setUp(admin: Admin, options: SetupOptions): Promise<ExitCode> {
  const { vhost } = credentialsOf(brokerConnection(admin.config));
  if (options.apply) return apply(admin, vhost, options);
  const plan = planSetup(admin.topology, { vhost, version: options.for });
  const passwords = newPasswords(plan);
  if (options.json) {
    showResult(admin.shell, options, resultOf(plan, vhost, false, passwords), '');
    return 0;
  }
  if (options.format === 'commands') {
    admin.shell.out(asCommands(plan, passwords));
    return 0;
  }
  const definitions = asDefinitions(plan, passwords, () => randomBytes(4));
  admin.shell.out(`${JSON.stringify(definitions, undefined, 2)}\n`);
  for (const [name, password] of passwords) admin.shell.err(`${name} ${password}\n`);
  return 0;
}

async function apply(
  { config, topology, shell }: Admin,
  vhost: string,
  options: SetupOptions,
): Promise<ExitCode> {
  const url = config.WARREN_MANAGEMENT_URL;
  if (url === undefined) throw new UsageError('--apply needs WARREN_MANAGEMENT_URL');
  const access = managementAccess(url, brokerConnection(config));
  const plan = planSetup(topology, { vhost, version: await brokerVersion(access) });
  const passwords = newPasswords(plan);
  const made = await applySetup(access, plan, passwords);
  if (options.json) {
    const names = new Set(made.map(({ name }) => name));
    const fresh = new Map([...passwords].filter(([name]) => names.has(name)));
    showResult(shell, options, resultOf(plan, vhost, true, fresh), '');
    return 0;
  }
  for (const { name } of made) shell.out(`${name} ${passwords.get(name) ?? ''}\n`);
  shell.err(
    `${made.length} of ${plan.users.length} users are new (their passwords are shown this once), ${plan.policies.length} policies are set. Next: warren topology apply, as ${plan.users.at(-1)?.name ?? ''}.\n`,
  );
  return 0;
}

/** A user that was there keeps a password that nobody here knows. */
function resultOf(plan: SetupPlan, vhost: string, applied: boolean, passwords: Passwords) {
  const users = plan.users.map(({ name }) => ({ name, password: passwords.get(name) ?? null }));
  return { vhost, applied, users, policies: plan.policies.map(({ name }) => name) };
}

function newPasswords({ users }: SetupPlan): Passwords {
  return new Map(users.map(({ name }) => [name, randomBytes(24).toString('base64url')]));
}
