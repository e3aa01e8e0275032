import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CruiseReport,
  cruise,
  makeSkeleton,
  plant,
  ROOT,
  workspaces,
} from './import-skeleton.ts';

/** Where an import is planted, what is imported, and the rules that must report it: none where it is allowed. */
type Plant = readonly [file: string, imported: string, rules: readonly string[]];

/** Whatever is not in the package's own list is also that. */
const OWN = 'only-own-dependencies';

const forbidden: readonly Plant[] = [
  ['libs/contracts/src/up.ts', '@warren/topology', ['layer-contracts']],
  ['libs/topology/src/up.ts', '@warren/broker', ['layer-topology']],
  ['libs/retry/src/up.ts', '@warren/topology', ['layer-retry']],
  ['libs/broker/src/up.ts', '@warren/worker', ['layer-broker']],
  ['libs/worker/src/up.ts', '@warren/client', ['layer-worker']],
  ['libs/limiter/src/up.ts', '@warren/store', ['layer-limiter']],
  ['libs/client/src/side.ts', '../../worker/src/index.ts', ['layer-client']],
  ['libs/worker/src/deep.ts', '../../broker/src/inner.ts', ['front-door-only']],
  ['services/email/src/deep.ts', '../../../libs/worker/src/inner.ts', ['front-door-only']],
  ['test/meta/deep.test.ts', '../../libs/worker/src/inner.ts', ['front-door-only']],
  ['libs/worker/src/deep.test.ts', '../../broker/src/inner.ts', ['front-door-only']],
  ['libs/worker/src/foreign.ts', 'amqplib', [OWN, 'owner-amqplib']],
  ['libs/client/src/foreign.ts', 'amqp-connection-manager', [OWN, 'owner-amqp-connection-manager']],
  ['libs/dead-letter/src/up.ts', '@warren/worker', ['layer-dead-letter']],
  ['services/gateway/src/command.ts', 'commander', [OWN, 'owner-commander']],
  ['libs/history/src/up.ts', '@warren/client', ['layer-history']],
  ['libs/outbound/src/up.ts', '@warren/contracts', ['layer-outbound']],
  ['libs/broker/src/side.ts', '@warren/history', ['layer-broker']],
  ['libs/store/src/side.ts', '@warren/broker', ['layer-store']],
  ['libs/worker/src/sql.ts', 'pg', [OWN, 'owner-pg']],
  ['services/gateway/src/sql.ts', '@electric-sql/pglite', [OWN, 'owner-@electric-sql/pglite']],
  ['libs/worker/src/metrics.ts', 'prom-client', [OWN, 'owner-prom-client']],
  ['services/email/src/foreign.ts', 'pino', [OWN, 'owner-pino']],
  ['libs/worker/src/ids.ts', 'uuid', [OWN, 'owner-uuid']],
  ['libs/telemetry/src/foreign.ts', 'express', [OWN, 'owner-express']],
  ['services/gateway/src/foreign.ts', 'nodemailer', [OWN, 'owner-nodemailer']],
  ['services/gateway/src/mailbox.ts', 'smtp-server', [OWN, 'owner-smtp-server']],
  [
    'services/gateway/src/other.ts',
    '../../email/src/index.ts',
    ['services-never-import-each-other'],
  ],
  ['services/gateway/src/named.ts', '@warren/email', ['services-never-import-each-other']],
  ['services/local/src/deep.ts', '../../email/src/inner.ts', ['services-only-through-their-door']],
  [
    'test/e2e/deep.test.ts',
    '../../services/email/src/inner.ts',
    ['services-only-through-their-door'],
  ],
  ['libs/runtime/src/service.ts', '@warren/gateway', ['libs-never-import-services']],
  ['libs/testing/src/service.ts', '@warren/gateway', ['libs-never-import-services']],
  ['libs/worker/src/tests.ts', '@warren/testing', ['layer-worker', 'testing-only-from-tests']],
  ['services/email/src/tests.ts', '@warren/testing', ['testing-only-from-tests']],
  ['libs/worker/src/made-up.ts', './held.fixture.ts', ['fixtures-only-from-tests']],
  ['libs/worker/src/development.ts', 'vitest', [OWN]],
  ['services/gateway/src/text.ts', 'mailparser', [OWN]],
  ['services/gateway/src/pages.ts', 'unpdf', [OWN, 'owner-unpdf']],
  ['grafana/preview/draw/figures.ts', '@warren/testing', ['preview-of-files-alone']],
  ['grafana/src/look.ts', '../preview/stage/play.ts', ['dashboards-without-their-preview']],
  ['libs/retry/src/about.ts', './inner.ts', ['no-circular']],
  ['libs/retry/src/lost.ts', './nowhere.ts', ['not-to-unresolvable']],
  ['libs/retry/src/lost-lib.ts', '@warren/nowhere', ['not-to-unresolvable']],
];

const allowed: readonly Plant[] = [
  ['libs/topology/src/down.ts', '@warren/contracts', []],
  ['libs/worker/src/down.ts', '@warren/broker', []],
  ['libs/worker/src/tell.ts', '@warren/history', []],
  ['libs/store/src/owned.ts', 'pg', []],
  ['libs/worker/src/own.ts', './inner.ts', []],
  ['libs/broker/src/owned.ts', 'amqplib', []],
  ['libs/retry/src/other.test.ts', '@warren/topology', []],
  ['libs/worker/src/helpers.test.ts', '@warren/testing', []],
  ['libs/worker/src/held.fixture.ts', '@warren/testing', []],
  ['libs/worker/src/made-up.test.ts', './held.fixture.ts', []],
  ['libs/testing/src/raw.ts', 'amqplib', []],
  ['services/gateway/src/http.ts', 'express', []],
  ['services/email/src/job.ts', '@warren/worker', []],
  ['services/admin/src/command.ts', 'commander', []],
  ['services/local/src/door.ts', '@warren/email', []],
  ['test/e2e/door.test.ts', '../../services/email/src/index.ts', []],
  ['grafana/preview/stage/play.ts', '@warren/testing', []],
];

/** Ways of writing an import that must not slip through. */
const forms: readonly (readonly [file: string, text: string])[] = [
  [
    'libs/broker/src/form-type.ts',
    "import type { nothing } from '@warren/worker';\nexport type N = typeof nothing;\n",
  ],
  ['libs/broker/src/form-late.ts', "export const late = () => import('@warren/worker');\n"],
  ['libs/broker/src/form-passed-on.ts', "export { nothing } from '@warren/worker';\n"],
  ['libs/broker/src/form-effect.ts', "import '@warren/worker';\n"],
];

describe('import directions', () => {
  let skeleton: ReturnType<typeof makeSkeleton> | undefined;
  let report: CruiseReport;

  beforeAll(async () => {
    skeleton = makeSkeleton();
    const { folder } = skeleton;
    for (const [file, imported] of [...forbidden, ...allowed]) {
      plant(folder, file, `import * as it from '${imported}';\n\nexport const used = it;\n`);
    }
    // A cycle is reported once, at the file that comes first.
    plant(folder, 'libs/retry/src/inner.ts', "export * from './about.ts';\n");
    for (const [file, text] of forms) plant(folder, file, text);
    report = await cruise(folder);
  });
  afterAll(() => {
    skeleton?.remove();
  });

  const rulesFor = (file: string) =>
    report.violations.filter(({ from }) => from === file).map(({ rule }) => rule);

  it.each(forbidden)('%s may not import %s', (file, _, rules) => {
    expect([...new Set(rulesFor(file))].sort()).toEqual(rules);
  });

  it.each(allowed)('%s may import %s', (file, _, rules) => {
    expect(rulesFor(file)).toEqual(rules);
  });

  it.each(forms)('%s is seen', (file) => {
    expect(rulesFor(file)).toEqual(['layer-broker']);
  });

  it('reports nothing that was not planted', () => {
    const planted = new Set([...forbidden.map(([file]) => file), ...forms.map(([file]) => file)]);
    expect(report.violations.filter(({ from }) => !planted.has(from))).toEqual([]);
  });
});

describe('this repository', () => {
  it('breaks no rule', async () => {
    const report = await cruise(ROOT);
    expect(report.violations).toEqual([]);
    expect(report.modules).toBeGreaterThan(100);
  });

  it('has a line of the table for every lib', () => {
    const config = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as {
      forbidden: { name: string }[];
    };
    const rules = config.forbidden.map(({ name }) => name);
    const libs = workspaces('libs').filter((name) => name !== 'testing');
    for (const lib of libs) expect(rules).toContain(`layer-${lib}`);
  });
});
