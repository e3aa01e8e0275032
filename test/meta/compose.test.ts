import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminSettings } from '@warren/admin';
import { resolveTimes } from '@warren/contracts';
import { loadConfig, meteringSettings, opsSettings, tracingSettings } from '@warren/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WORKLOADS } from '../../deploy/k8s/src/index.ts';
import {
  type ComposeService,
  composeFile,
  composeText,
  ROOT,
  requiredVariables,
  variablesIn,
} from './compose-file.ts';
import { BEYOND_GRACE_S, SERVICE_SETTINGS } from './service-settings.ts';

const OWN_IMAGE = 'warren:local';

/** Who logs in to RabbitMQ. */
const USERS = [...Object.keys(SERVICE_SETTINGS), 'operator'];
const passwordOf = (user: string) => `RABBITMQ_${user.toUpperCase()}_PASSWORD`;
const VARIABLES = {
  RABBITMQ_PASSWORD: 'a$b/c',
  ...Object.fromEntries(USERS.map((user) => [passwordOf(user), `a$b/${user}=`])),
  POSTGRES_PASSWORD: 'a0b1',
  GRAFANA_PASSWORD: 'c2d3',
  WEBHOOK_SECRETS: `default=whsec_${'a'.repeat(32)}`,
};
const { services, volumes } = composeFile(VARIABLES);
const ofWarren = Object.entries(services).filter(([, { image }]) => image === OWN_IMAGE);
const own = ofWarren.filter(([, { entrypoint }]) => entrypoint === undefined);
/** Run the command `warren` to its end. */
const commands = ofWarren.filter(([, { entrypoint }]) => entrypoint !== undefined);
const others = Object.entries(services).filter(([, { image }]) => image !== OWN_IMAGE);
/** Of a size as Compose takes it. */
const mebibytes = (size = '') =>
  Number.parseInt(size, 10) * ({ M: 1, G: 1_024 }[size.slice(-1)] ?? Number.NaN);
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

  it('starts with a password for everybody, and with nothing else', () => {
    expect(requiredVariables().sort()).toEqual(Object.keys(VARIABLES).sort());
  });

  it.each(Object.keys(VARIABLES))('asks for %s and has none of its own', (name) => {
    expect(() => composeFile({ ...VARIABLES, [name]: '' })).toThrow(new RegExp(`^${name}: `));
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
    const isCommand = service.entrypoint !== undefined;
    expect(service.restart).toMatch(isCommand ? /^(no|on-failure:\d)$/ : /^unless-stopped$/);
    expect(service.healthcheck?.disable).toBe(isCommand || undefined);
    expect(service.stop_grace_period).toMatch(/^\d+s$/);
  });

  it.each(Object.entries(services))(
    'starts %s after what it needs is healthy, or done',
    (_name, service) => {
      for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
        if (services[name]?.entrypoint) {
          expect(condition).toBe('service_completed_successfully');
        } else {
          expect(condition).toBe('service_healthy');
          expect(services[name]?.healthcheck?.test?.[0]).toBe('CMD');
        }
      }
    },
  );

  it.each(Object.entries(services))(
    'bounds the memory and the cores of %s',
    (_name, { deploy }) => {
      const { cpus, memory } = deploy?.resources.limits ?? {};
      expect(Number(cpus)).toBeGreaterThan(0);
      // More cores than the machine has are refused.
      expect(Number(cpus)).toBeLessThanOrEqual(2);
      expect(mebibytes(memory)).toBeGreaterThanOrEqual(128);
    },
  );

  it('gives no less memory to a service than Kubernetes does', () => {
    for (const { name, memoryMi } of WORKLOADS) {
      expect(mebibytes(services[name]?.deploy?.resources.limits.memory)).toBe(memoryMi);
    }
  });

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

  it('tells the broker bounds that fit its container, and the timeout that workers reckon with', () => {
    const conf = read('deploy/rabbitmq/rabbitmq.conf');
    const told = new Map([...conf.matchAll(/^([\w.]+) = (.+)$/gm)].map(([, key, to]) => [key, to]));
    const { deploy, ulimits, volumes: mounts } = services['rabbitmq'] ?? {};
    const memoryMi = mebibytes(deploy?.resources.limits.memory);
    const [, watermarkMi] =
      /^(\d+)MiB$/.exec(told.get('vm_memory_high_watermark.absolute') ?? '') ?? [];
    expect(Number(watermarkMi) / memoryMi).toBeGreaterThan(0.5);
    expect(Number(watermarkMi) / memoryMi).toBeLessThan(0.6);
    expect(told.get('disk_free_limit.absolute')).toBe(`${memoryMi / 1_024}GB`);
    const { consumerTimeoutMs } = resolveTimes({}, []);
    expect(told.get('consumer_timeout')).toBe(`${consumerTimeoutMs}`);
    expect(ulimits?.nofile).toEqual({ soft: 65_536, hard: 65_536 });
    expect(mounts).toContain(
      './deploy/rabbitmq/rabbitmq.conf:/etc/rabbitmq/conf.d/90-warren.conf:ro',
    );
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

  it('logs in as its own user, once that and all queues are there', () => {
    expect(environment['AMQP_USERNAME']).toBe(`warren-${name}`);
    expect(environment['AMQP_PASSWORD']).toBe(`a$b/${name}=`);
    expect(service.depends_on).toHaveProperty('topology');
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

describe('what runs the command warren in docker-compose.yml', () => {
  const environmentOf = (name: string) => services[name]?.environment ?? {};

  it.each(commands)('%s sets only variables that it knows', (_name, service) => {
    const { environment = {}, entrypoint = [] } = service;
    expect(Object.keys(environment).filter((key) => !(key in adminSettings))).toEqual([]);
    expect(() => loadConfig(adminSettings, environment)).not.toThrow();
    expect(existsSync(join(ROOT, entrypoint[1] ?? ''))).toBe(true);
  });

  it('makes the users as the administrator, with the passwords that services have', () => {
    const broker = (services['rabbitmq'] as ComposeService).environment;
    const setup = environmentOf('setup');
    expect(services['setup']?.command).toEqual(['setup', '--apply']);
    expect(setup['AMQP_USERNAME']).toBe(broker?.['RABBITMQ_DEFAULT_USER']);
    expect(setup['AMQP_PASSWORD']).toBe(broker?.['RABBITMQ_DEFAULT_PASS']);
    const { WARREN_USER_PASSWORDS: given } = loadConfig(adminSettings, setup);
    const wanted = USERS.map((user): [string, string] => [user, `a$b/${user}=`]);
    expect([...(given ?? [])].sort()).toEqual(wanted.sort());
  });

  it('declares, and serves people, as the operator; people are not waited for', () => {
    expect(services['topology']?.command).toEqual(['topology', 'apply']);
    expect(services['topology']?.depends_on).toHaveProperty('setup');
    for (const name of ['topology', 'warren']) {
      expect(environmentOf(name)['AMQP_USERNAME']).toBe('warren-operator');
      expect(environmentOf(name)['AMQP_PASSWORD']).toBe('a$b/operator=');
    }
    expect(services['warren']?.profiles).toEqual(['warren']);
  });
});

describe('deploy/make-env.sh', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'warren-env-'));
    mkdirSync(join(folder, 'deploy'));
    for (const path of ['.env.example', 'deploy/make-env.sh']) {
      copyFileSync(join(ROOT, path), join(folder, path));
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const file = () => join(folder, '.env');
  /** Run by its own name, as it may be. */
  const run = (...args: readonly string[]) => {
    const [path, encoding] = [join(folder, 'deploy/make-env.sh'), 'utf8'] as const;
    const { status, stdout, stderr } = spawnSync(path, args, { encoding });
    return { status, stdout, stderr };
  };
  const make = () => {
    run();
    const lines = [...readFileSync(file(), 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)];
    return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
  };

  it('makes all that is asked for, each secret a new one, for nobody else to read', () => {
    const env = make();
    expect(() => composeFile(env)).not.toThrow();
    const secrets = Object.keys(VARIABLES).map((name) => env[name]);
    expect(new Set(secrets).size).toBe(secrets.length);
    for (const secret of secrets) expect(secret?.length).toBeGreaterThanOrEqual(48);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('leaves what is there, and adds what is not', () => {
    writeFileSync(file(), 'RABBITMQ_PASSWORD=old\nGRAFANA_PASSWORD=\nLOG_LEVEL=debug');
    const env = make();
    expect(env).toMatchObject({ RABBITMQ_PASSWORD: 'old', LOG_LEVEL: 'debug' });
    expect(env['GRAFANA_PASSWORD']).toMatch(/^[0-9a-f]{48}$/);
    expect(() => composeFile(env)).not.toThrow();
    const before = readFileSync(file(), 'utf8');
    expect(make()).toEqual(env);
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });

  it('says what it did with which file, and no secret', () => {
    const first = run();
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toContain(`Wrote ${file()}, with new passwords`);
    expect(run().stdout).toBe(`Kept ${file()} as it was: it has all that is asked for\n`);
    const [secret = ''] = Object.values(make()).filter((value) => value.length >= 48);
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(secret, ''));
    expect(run().stdout).toBe(`Kept what ${file()} said, added: RABBITMQ_PASSWORD\n`);
    for (const value of Object.values(make())) {
      if (value.length >= 48) expect(first.stdout).not.toContain(value);
    }
  });

  it('tells how it is used, and refuses the rest; neither makes anything', () => {
    for (const flag of ['--help', '-h']) {
      expect(run(flag)).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: ') });
    }
    const refused = run('--force');
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain('takes no --force');
    expect(existsSync(file())).toBe(false);
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
