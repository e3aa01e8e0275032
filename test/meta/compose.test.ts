import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, meteringSettings, opsSettings, tracingSettings } from '@warren/runtime';
import { describe, expect, it } from 'vitest';
import {
  type ComposeService,
  composeFile,
  composeText,
  ROOT,
  variablesIn,
} from './compose-file.ts';
import { BEYOND_GRACE_S, SERVICE_SETTINGS } from './service-settings.ts';

const OWN_IMAGE = 'warren:local';

const { services, volumes } = composeFile({
  RABBITMQ_PASSWORD: 'a$b/c',
  POSTGRES_PASSWORD: 'a0b1',
  GRAFANA_PASSWORD: 'c2d3',
  WEBHOOK_SECRETS: `default=whsec_${'a'.repeat(32)}`,
});
const own = Object.entries(services).filter(([, { image }]) => image === OWN_IMAGE);
const others = Object.entries(services).filter(([, { image }]) => image !== OWN_IMAGE);
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('docker-compose.yml', () => {
  it('has the services and what they need', () => {
    expect(own.map(([name]) => name).sort()).toEqual(Object.keys(SERVICE_SETTINGS).sort());
    expect(others.map(([name]) => name).sort()).toEqual([
      'alertmanager',
      'grafana',
      'mailpit',
      'postgres',
      'prometheus',
      'rabbitmq',
    ]);
  });

  it('asks for a password and has none of its own', () => {
    expect(() => composeFile({})).toThrow(/^RABBITMQ_PASSWORD: /);
    const broker = { RABBITMQ_PASSWORD: 'a' };
    expect(() => composeFile(broker)).toThrow(/^POSTGRES_PASSWORD: /);
    const store = { ...broker, POSTGRES_PASSWORD: 'a' };
    expect(() => composeFile(store)).toThrow(/^GRAFANA_PASSWORD: /);
    const dashboards = { ...store, GRAFANA_PASSWORD: 'a' };
    expect(() => composeFile(dashboards)).toThrow(/^WEBHOOK_SECRETS: /);
  });

  it.each(others)('takes a release of %s, not whatever is the latest', (_name, { image }) => {
    expect(image).toMatch(/:v?\d+\.\d+[\w.-]*$/);
  });

  it.each(Object.entries(services))(
    'opens ports of %s on loopback only',
    (_name, { ports = [] }) => {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    },
  );

  it.each(Object.entries(services))('brings %s up again, and bounds its stop', (_name, service) => {
    expect(service.restart).toBe('unless-stopped');
    expect(service.stop_grace_period).toMatch(/^\d+s$/);
  });

  it.each(Object.entries(services))(
    'starts %s after what it needs is healthy',
    (_name, service) => {
      for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(condition).toBe('service_healthy');
        expect(services[name]?.healthcheck?.test[0]).toBe('CMD');
      }
    },
  );

  it('keeps data in the volumes that it declares', () => {
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
    const sources = mounted.map((volume) => volume.split(':')[0] ?? '');
    expect(sources.filter((source) => !source.startsWith('.')).sort()).toEqual(
      Object.keys(volumes).sort(),
    );
    for (const file of sources.filter((source) => source.startsWith('.'))) {
      expect(existsSync(join(ROOT, file))).toBe(true);
    }
  });

  it('turns on the plugins that serve people', () => {
    const plugins = read('deploy/rabbitmq/enabled_plugins');
    expect(plugins.trim()).toBe('[rabbitmq_management,rabbitmq_prometheus].');
  });

  it('has every variable that it asks for in .env.example, and no other is there', () => {
    const example = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(example.sort()).toEqual(variablesIn(composeText).sort());
  });
});

describe.each(own)('the service %s in docker-compose.yml', (name, service) => {
  const { command = [], environment = {} } = service;
  const definition = {
    ...opsSettings,
    ...tracingSettings,
    ...meteringSettings,
    ...SERVICE_SETTINGS[name],
  };

  it('runs its own entry point', () => {
    expect(command).toEqual(['node', '--import', 'tsx', `services/${name}/src/main.ts`]);
    expect(existsSync(join(ROOT, command[3] ?? ''))).toBe(true);
  });

  it('sets only variables that the service knows, to values that it takes', () => {
    expect(Object.keys(environment).filter((key) => !(key in definition))).toEqual([]);
    expect(() => loadConfig(definition, environment)).not.toThrow();
  });

  it('logs in as the user that the broker is given', () => {
    const broker = (services['rabbitmq'] as ComposeService).environment;
    expect(environment['AMQP_USERNAME']).toBe(broker?.['RABBITMQ_DEFAULT_USER']);
    expect(environment['AMQP_PASSWORD']).toBe(broker?.['RABBITMQ_DEFAULT_PASS']);
    expect(environment['AMQP_PASSWORD']).toBe('a$b/c');
  });

  it('is not killed before its grace time is over', () => {
    const { SHUTDOWN_GRACE_SECONDS: graceS } = loadConfig(opsSettings, environment);
    expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(
      graceS + BEYOND_GRACE_S,
    );
  });

  it('has its probes where the image asks for them', () => {
    expect(environment['OPS_PORT']).toBe(/OPS_PORT=(\d+)/.exec(read('Dockerfile'))?.[1]);
  });
});

it.each(['gateway', 'tracker', 'payment'])(
  'opens the store for %s as the user that the database is given',
  (name) => {
    const { POSTGRES_USER, POSTGRES_PASSWORD } = services['postgres']?.environment ?? {};
    const url = new URL(services[name]?.environment?.['DATABASE_URL'] ?? '');
    expect([url.username, url.password]).toEqual([POSTGRES_USER, POSTGRES_PASSWORD]);
    expect([url.hostname, url.pathname]).toEqual(['postgres', `/${POSTGRES_USER}`]);
  },
);

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;

  it('runs what it copies, not as root', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, list = '']) => list.split(' '),
    );
    const run = [...dockerfile.matchAll(/CMD (\[.+\])/g)].flatMap(
      ([, json = '']) => JSON.parse(json) as string[],
    );
    const files = run.filter((argument) => /\.(ts|mjs)$/.test(argument));
    expect(files).toContain('scripts/healthcheck.mjs');
    for (const path of [...copied, ...files]) expect(existsSync(join(ROOT, path))).toBe(true);
    for (const file of files) expect(copied.some((path) => file.startsWith(path))).toBe(true);
    expect(dockerfile.lastIndexOf('USER node')).toBeGreaterThan(dockerfile.lastIndexOf('FROM'));
  });

  it('installs what runs TypeScript, but nothing that is for development', () => {
    expect(dockerfile).toContain('npm ci --omit=dev');
    expect(manifest['dependencies']).toHaveProperty('tsx');
  });

  it('builds on the Node that the unit tests run on too, unless told otherwise', () => {
    const [, major] = /^ARG NODE_IMAGE=node:(\d+)-slim$/m.exec(dockerfile) ?? [];
    expect(read('.ci/run')).toMatch(new RegExp(`^node_24=${major}\\.`, 'm'));
  });
});
