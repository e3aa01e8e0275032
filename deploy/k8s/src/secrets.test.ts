import { describe, expect, it } from 'vitest';
import { manifests, WORKLOADS } from './index.ts';

/** What is looked at of a Deployment or Job. */
interface Runs {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly command: readonly string[];
          readonly envFrom?: readonly object[];
          readonly env: readonly {
            readonly name: string;
            readonly valueFrom?: { readonly secretKeyRef: { name: string; key: string } };
          }[];
        }[];
      };
    };
  };
}

const BROKER = ['AMQP_URL', 'AMQP_USERNAME', 'AMQP_PASSWORD'];
const objects = Object.values(manifests).flat() as readonly Runs[];
const runs = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');

/** The variables that come from a Secret, as `Secret key`, by the name of what runs. */
const taken = new Map(
  runs.map(({ metadata, spec }) => [
    metadata.name,
    spec.template.spec.containers.flatMap(({ env }) =>
      env.flatMap(({ name, valueFrom }) => {
        if (!valueFrom) return [];
        const { name: secret, key } = valueFrom.secretKeyRef;
        expect(key).toBe(name);
        return [`${secret} ${key}`];
      }),
    ),
  ]),
);
const withKey = (key: string) =>
  [...taken].filter(([, all]) => all.some((one) => one.endsWith(` ${key}`))).map(([name]) => name);

describe('Secrets', () => {
  it('belong to one service each, which logs in to the broker with its own', () => {
    for (const { name } of WORKLOADS) {
      const secrets = taken.get(`warren-${name}`)?.map((one) => one.split(' '));
      expect(new Set(secrets?.map(([secret]) => secret))).toEqual(new Set([`warren-${name}`]));
      expect(secrets?.map(([, key]) => key)).toEqual(expect.arrayContaining(BROKER));
    }
  });

  it('hold the database only for services that keep something there', () => {
    expect(withKey('DATABASE_URL').sort()).toEqual([
      'warren-gateway',
      'warren-payment',
      'warren-tracker',
    ]);
  });

  it.each([
    ['WARREN_API_KEYS', 'gateway'],
    ['SMTP_URL', 'email'],
    ['PAYMENT_PROVIDER_URL', 'payment'],
    ['PAYMENT_PROVIDER_KEY', 'payment'],
    ['WEBHOOK_SECRETS', 'webhook'],
  ])('hold %s only for %s', (key, service) => {
    expect(withKey(key)).toEqual([`warren-${service}`]);
  });

  it('are not taken as a whole by anything', () => {
    expect(JSON.stringify(objects)).not.toContain('secretRef');
    expect(JSON.stringify(objects)).not.toContain('"secret":');
  });
});

it('one Job declares the topology, as the operator, with the settings that services share and no other secrets', () => {
  const jobs = runs.filter(({ kind }) => kind === 'Job');
  expect(jobs.map(({ metadata }) => metadata.name)).toEqual(['warren-topology']);
  const [container] = jobs[0]?.spec.template.spec.containers ?? [];
  expect(container?.command.slice(-2)).toEqual(['topology', 'apply']);
  // A namespace above all: what is declared must be what they look for.
  expect(container?.envFrom).toEqual([{ configMapRef: { name: 'warren' } }]);
  expect(taken.get('warren-topology')).toEqual(BROKER.map((key) => `warren-operator ${key}`));
});
