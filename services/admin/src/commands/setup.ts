import { randomBytes } from 'node:crypto';
import { credentialsOf } from '@warren/broker';
import { brokerConnection } from '@warren/runtime';
import { applySetup, type UserPasswords } from '../data-access/apply-setup.ts';
import { managementAccess } from '../data-access/management-access.ts';
import { brokerVersion } from '../data-access/management-facts.ts';
import { passwordsOfUsers } from '../domain/setup/given-passwords.ts';
import { asCommands, asDefinitions, type Passwords } from '../domain/setup/setup-formats.ts';
import { planSetup, type SetupPlan, tooLongFor43 } from '../domain/setup/setup-plan.ts';
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
  const { given, made } = choosePasswords(admin, plan);
  if (options.json) {
    showResult(admin.shell, options, resultOf(plan, vhost, false, made), '');
    return 0;
  }
  const passwords = new Map([...made, ...given]);
  if (options.format === 'commands') {
    admin.shell.out(asCommands(plan, passwords));
    return 0;
  }
  const definitions = asDefinitions(plan, passwords, () => randomBytes(4));
  admin.shell.out(`${JSON.stringify(definitions, undefined, 2)}\n`);
  for (const [name, password] of made) admin.shell.err(`${name} ${password}\n`);
  return 0;
}

async function apply(admin: Admin, vhost: string, options: SetupOptions): Promise<ExitCode> {
  const { config, topology, shell } = admin;
  const url = config.WARREN_MANAGEMENT_URL;
  if (url === undefined) throw new UsageError('--apply needs WARREN_MANAGEMENT_URL');
  const access = managementAccess(url, brokerConnection(config));
  const plan = planSetup(topology, { vhost, version: await brokerVersion(access) });
  const passwords = choosePasswords(admin, plan);
  const { given, made } = passwords;
  const users = await applySetup(access, plan, passwords);
  const names = new Set(users.map(({ name }) => name));
  const shown = new Map([...made].filter(([name]) => names.has(name)));
  if (options.json) {
    showResult(shell, options, resultOf(plan, vhost, true, shown), '');
    return 0;
  }
  for (const [name, password] of shown) shell.out(`${name} ${password}\n`);
  const once = shown.size > 0 ? ' (their passwords are shown this once)' : '';
  shell.err(
    `${users.length} of ${plan.users.length} users are new${once}, ${given.size} have the password that they were given, ${plan.policies.length} policies are set. Next: warren topology apply, as ${plan.users.at(-1)?.name ?? ''}.\n`,
  );
  return 0;
}

/** A user that was there, or was given one, has a password that is not shown. */
function resultOf(plan: SetupPlan, vhost: string, applied: boolean, passwords: Passwords) {
  const users = plan.users.map(({ name }) => ({ name, password: passwords.get(name) ?? null }));
  return { vhost, applied, users, policies: plan.policies.map(({ name }) => name) };
}

/** Those that are given, and new ones for everybody else. Says what RabbitMQ will refuse. */
function choosePasswords({ config, shell }: Admin, plan: SetupPlan): UserPasswords {
  for (const line of tooLongFor43(plan)) shell.err(`warren: ${line}\n`);
  const given = passwordsOfUsers(config.WARREN_USER_PASSWORDS ?? new Map<string, string>(), plan);
  const others = plan.users.filter(({ name }) => !given.has(name));
  const made = new Map(others.map(({ name }) => [name, randomBytes(24).toString('base64url')]));
  return { given, made };
}
