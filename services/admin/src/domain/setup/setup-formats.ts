import { createHash } from 'node:crypto';
import type { SetupPlan } from './setup-plan.ts';

/** Passwords by user name. */
export type Passwords = ReadonlyMap<string, string>;

/** As lines for a shell at the broker. */
export function asCommands({ vhost, users, policies }: SetupPlan, passwords: Passwords): string {
  const at = `-p ${quoted(vhost)}`;
  const lines = [
    ...(vhost === '/' ? [] : [`rabbitmqctl add_vhost ${quoted(vhost)}`]),
    ...users.flatMap(({ name, tags, permissions: { configure, write, read } }) => [
      `rabbitmqctl add_user ${quoted(name)} ${quoted(passwords.get(name) ?? '')}`,
      ...(tags.length > 0 ? [`rabbitmqctl set_user_tags ${quoted(name)} ${tags.join(' ')}`] : []),
      `rabbitmqctl set_permissions ${at} ${[name, configure, write, read].map(quoted).join(' ')}`,
    ]),
    ...policies.map(
      ({ name, pattern, definition, priority }) =>
        `rabbitmqctl set_policy ${at} --priority ${priority} --apply-to queues ${[name, pattern, JSON.stringify(definition)].map(quoted).join(' ')}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** As what `rabbitmqctl import_definitions` takes; it holds hashes, no passwords. */
export function asDefinitions(
  { vhost, users, policies }: SetupPlan,
  passwords: Passwords,
  saltOf: () => Buffer,
): object {
  return {
    vhosts: [{ name: vhost }],
    users: users.map(({ name, tags }) => ({
      name,
      password_hash: passwordHash(passwords.get(name) ?? '', saltOf()),
      hashing_algorithm: 'rabbit_password_hashing_sha256',
      tags: tags.join(','),
    })),
    permissions: users.map(({ name, permissions }) => ({ user: name, vhost, ...permissions })),
    policies: policies.map((policy) => ({ vhost, 'apply-to': 'queues', ...policy })),
  };
}

/** RabbitMQ's: the salt of four bytes, then SHA-256 of salt and password. */
export function passwordHash(password: string, salt: Buffer): string {
  const digest = createHash('sha256').update(salt).update(password, 'utf8').digest();
  return Buffer.concat([salt, digest]).toString('base64');
}

/** For POSIX shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
