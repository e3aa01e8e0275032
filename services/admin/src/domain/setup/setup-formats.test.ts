import { buildTopology } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import { asCommands, asDefinitions, passwordHash } from './setup-formats.ts';
import { planSetup, tooLongFor43 } from './setup-plan.ts';

const topology = buildTopology({ jobTypes: ['a.b'] });
const plan = planSetup(topology, { vhost: "o'hare", version: '3.12.0' });
const passwords = new Map(plan.users.map(({ name }) => [name, `of-${name}`]));

describe('the plan', () => {
  it('names users after the namespace, and gives the operator alone a tag', () => {
    expect(plan.users.map(({ name, tags }) => [name, tags])).toEqual([
      ['warren-gateway', []],
      ['warren-a', []],
      ['warren-operator', ['monitoring']],
    ]);
    const named = buildTopology({ namespace: 'shop', jobTypes: ['a.b'] });
    const { users } = planSetup(named, { vhost: '/', version: undefined });
    expect(users[0]?.name).toBe('shop-gateway');
  });

  it('has policies that say again what queues declare, each queue by one', () => {
    for (const { name, role, arguments: own } of topology.queues) {
      const fitting = plan.policies.filter(({ pattern }) => new RegExp(pattern, 'u').test(name));
      expect(fitting).toHaveLength(role === 'stream' ? 0 : 1);
      expect(fitting[0]?.definition['delivery-limit']).toBe(own['x-delivery-limit']);
    }
  });

  it.each([
    ['3.10.8', false],
    [undefined, false],
    ['3.12.0', true],
    ['4.3.6', true],
  ])('for %s knows a consumer timeout: %s', (version, isKnown) => {
    const { policies } = planSetup(topology, { vhost: '/', version });
    expect('consumer-timeout' in (policies[0]?.definition ?? {})).toBe(isKnown);
  });
});

it('says of which users and policies RabbitMQ 4.3 would refuse the patterns', () => {
  expect(tooLongFor43(plan)).toEqual([]);
  const jobTypes = Array.from({ length: 60 }, (_, index) => `a.with-a-long-name-${index}`);
  const large = planSetup(buildTopology({ jobTypes }), { vhost: '/', version: '4.3.0' });
  expect(tooLongFor43(large)).toContainEqual(
    expect.stringMatching(
      /^warren-operator has a pattern of \d{4} characters: RabbitMQ takes 1024/,
    ),
  );
});

describe('as commands', () => {
  it('is quoted for a shell', () => {
    const text = asCommands(plan, passwords);
    expect(text).toContain("rabbitmqctl add_vhost 'o'\\''hare'\n");
    expect(text).toContain("rabbitmqctl add_user 'warren-a' 'of-warren-a'\n");
    expect(text).toContain("rabbitmqctl set_permissions -p 'o'\\''hare' 'warren-a' '^$' '^(?:");
    expect(text).toContain("rabbitmqctl set_user_tags 'warren-operator' monitoring\n");
    expect(text).toContain(`'{"delivery-limit":1000,"consumer-timeout":1800000}'`);
  });
});

describe('as definitions', () => {
  it('holds hashes and no password', () => {
    const salt = Buffer.from([0x90, 0x8d, 0xc6, 0x0a]);
    const text = JSON.stringify(asDefinitions(plan, passwords, () => salt));
    expect(text).not.toContain('of-warren');
    expect(text).toContain(passwordHash('of-warren-a', salt));
  });

  it("hashes as RabbitMQ's documentation shows", () => {
    expect(passwordHash('test12', Buffer.from('908DC60A', 'hex'))).toBe(
      'kI3GCqW5JLMJa4iX1lo7X4D6XbYqlLgxIs30+P6tENUV2POR',
    );
  });
});
