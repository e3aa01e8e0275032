import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceAccess } from '@warren/admin';
import { catalog } from '@warren/catalog';
import { LANES } from '@warren/contracts';
import { loadConfig, opsSettings } from '@warren/runtime';
import { buildTopology, createNames } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kubernetesFiles, manifests, OPS_PORT, WORKLOADS } from '../../deploy/k8s/src/index.ts';
import { ROOT } from './compose-file.ts';
import { BEYOND_GRACE_S, SERVICE_SETTINGS } from './service-settings.ts';

/** What the tests look at of any object. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly {
    readonly command: readonly string[];
    readonly env: readonly {
      readonly name: string;
      readonly value?: string;
      readonly valueFrom?: object;
    }[];
    readonly volumeMounts: readonly { readonly mountPath: string }[];
  }[];
}

const GENERATED = join(ROOT, 'deploy/k8s/generated');
const objects = Object.values(kubernetesFiles)
  .flatMap((text) => parseAllDocuments(text))
  .map((document) => document.toJS() as Manifest & { readonly spec?: unknown; data?: unknown });
const all = <Spec>(kind: string) =>
  objects.filter((one) => one.kind === kind) as (Manifest & { readonly spec: Spec })[];
const shared = objects.find(({ kind }) => kind === 'ConfigMap')?.data as Record<string, string>;
const SECRETS = {
  AMQP_URL: 'amqp://rabbitmq:5672',
  AMQP_USERNAME: 'warren',
  AMQP_PASSWORD: 'a$b/c',
  DATABASE_URL: 'postgres://warren:a@postgres:5432/warren',
  SMTP_URL: 'smtps://mail.example.org',
  PAYMENT_PROVIDER_URL: 'https://payments.example.org/v1',
  PAYMENT_PROVIDER_KEY: 'key',
  WEBHOOK_SECRETS: `default=whsec_${'a'.repeat(32)}`,
  WARREN_API_KEYS: `shop:publish+read:${'0'.repeat(64)}`,
};

it('deploy/k8s/generated is what the source makes', () => {
  expect(readdirSync(GENERATED).sort()).toEqual(Object.keys(kubernetesFiles).sort());
  const stale = Object.entries(kubernetesFiles).filter(
    ([path, text]) => readFileSync(join(GENERATED, path), 'utf8') !== text,
  );
  expect(
    stale.map(([path]) => path),
    'run `npm run k8s`',
  ).toEqual([]);
});

describe('the objects for Kubernetes', () => {
  it('run every service', () => {
    expect(WORKLOADS.map(({ name }) => name).sort()).toEqual(Object.keys(SERVICE_SETTINGS).sort());
    expect(all('Deployment').map(({ metadata }) => metadata.name)).toEqual(
      WORKLOADS.map(({ name }) => `warren-${name}`),
    );
  });

  it('are all applied, but for the broker, and no two have one name', () => {
    const [kustomization] = all('Kustomization') as unknown as { resources: string[] }[];
    expect(kustomization?.resources).toEqual(Object.keys(manifests));
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata?.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('handle every job type, each in one service, and scale by every queue where they scale at all', () => {
    expect(WORKLOADS.flatMap(({ jobs }) => jobs.map(({ type }) => type)).sort()).toEqual(
      catalog.map(({ type }) => type).sort(),
    );
    const names = createNames();
    const queues = WORKLOADS.filter(({ scale }) => scale.min < scale.max)
      .flatMap(({ jobs }) => jobs)
      .flatMap(({ type, lanes }) =>
        (lanes ? LANES : ['normal' as const]).map((lane) => names.laneQueue(type, lane)),
      );
    const triggers = all<{ triggers: { type: string; metadata: { queueName?: string } }[] }>(
      'ScaledObject',
    ).flatMap(({ spec }) => spec.triggers.filter(({ type }) => type === 'rabbitmq'));
    expect(triggers.map(({ metadata }) => metadata.queueName).sort()).toEqual(queues.sort());
  });

  it('log in as the users that `warren setup` makes, each with a Secret that the guide names', () => {
    const secrets = new Set(
      [...JSON.stringify(objects).matchAll(/"secretKeyRef":\{"name":"([^"]+)"/g)].map(
        ([, name]) => name,
      ),
    );
    const users = serviceAccess(buildTopology({ jobTypes: catalog, history: {} }));
    expect([...secrets].sort()).toEqual(users.map(({ service }) => `warren-${service}`).sort());
    const guide = readFileSync(join(ROOT, 'docs/kubernetes.md'), 'utf8');
    const told = [...guide.matchAll(/^\| `warren-(\w+)` \|(.*)\|$/gm)].map(([, service, keys]) => [
      service,
      [...(keys ?? '').matchAll(/`(\w+)`/g)].map(([, key]) => key),
    ]);
    const wanted = WORKLOADS.map(({ name, secrets: keys }) => [name, keys] as const);
    expect(Object.fromEntries(told)).toEqual({ ...Object.fromEntries(wanted), operator: [] });
  });

  it('never leave a service without a pod, and let a pod drain before the next one goes', () => {
    const scaled = all<{
      minReplicaCount: number;
      advanced: {
        horizontalPodAutoscalerConfig: {
          behavior: { scaleDown: { policies: { value: number; periodSeconds: number }[] } };
        };
      };
    }>('ScaledObject');
    expect(scaled.length).toBeGreaterThan(0);
    for (const { spec } of scaled) {
      expect(spec.minReplicaCount).toBeGreaterThan(0);
      const [policy] = spec.advanced.horizontalPodAutoscalerConfig.behavior.scaleDown.policies;
      expect(policy?.value).toBe(1);
      expect(policy?.periodSeconds).toBeGreaterThan(30);
    }
    for (const { name } of WORKLOADS) {
      const budgets = all<{ maxUnavailable: number }>('PodDisruptionBudget');
      const budget = budgets.find(({ metadata }) => metadata.name === `warren-${name}`);
      expect(budget?.spec.maxUnavailable).toBe(1);
    }
  });
});

describe.each(WORKLOADS.map(({ name }) => name))('the pods of %s', (name) => {
  const deployments = all<{ template: { spec: Pod } }>('Deployment');
  const pod = deployments.find(({ metadata }) => metadata.name === `warren-${name}`)?.spec.template
    .spec;
  const container = pod?.containers[0];
  const environment: Record<string, string> = { ...shared };
  for (const { name: key, value, valueFrom } of container?.env ?? []) {
    environment[key] = valueFrom ? SECRETS[key as keyof typeof SECRETS] : (value ?? '');
  }
  const definition = { ...opsSettings, ...SERVICE_SETTINGS[name] };

  it('run the entry point', () => {
    expect(container?.command).toEqual(['node', '--import', 'tsx', `services/${name}/src/main.ts`]);
    expect(existsSync(join(ROOT, container?.command[3] ?? ''))).toBe(true);
  });

  it('are given only variables that the service knows, to values that it takes', () => {
    expect(Object.keys(environment).filter((key) => !(key in definition))).toEqual([]);
    const config = loadConfig(definition, environment);
    expect(config.OPS_PORT).toBe(OPS_PORT);
  });

  it('have what a service must not go without', () => {
    // Unset, it would keep nothing, or keep it where the pod ends with it.
    for (const key of ['DATABASE_URL', 'SMTP_URL']) {
      if (key in definition) expect(environment).toHaveProperty(key);
    }
    if (!('DATABASE_URL' in definition) && 'WARREN_DATA_DIR' in definition) {
      expect(environment).toHaveProperty('WARREN_DATA_DIR');
    }
    const folder = environment['WARREN_DATA_DIR'];
    const mounted = container?.volumeMounts.map(({ mountPath }) => mountPath);
    if (folder !== undefined) expect(mounted).toContain(folder);
  });

  it('are not killed before their grace time is over', () => {
    const { SHUTDOWN_GRACE_SECONDS: graceS } = loadConfig(opsSettings, environment);
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(graceS + BEYOND_GRACE_S);
  });
});
