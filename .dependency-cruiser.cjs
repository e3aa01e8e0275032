/** Who may import whom. Read it as a table: a lib may import only the libs named on its line. */
const mayImport = {
  contracts: [],
  topology: ['contracts'],
  retry: ['contracts'],
  telemetry: ['contracts'],
  broker: ['contracts', 'topology'],
  history: ['contracts', 'broker', 'telemetry'],
  client: ['contracts', 'topology', 'retry', 'broker', 'telemetry', 'history'],
  breaker: ['contracts', 'telemetry'],
  limiter: ['contracts', 'telemetry'],
  worker: [
    'contracts',
    'topology',
    'retry',
    'broker',
    'telemetry',
    'breaker',
    'limiter',
    'history',
  ],
  'dead-letter': ['contracts', 'topology', 'retry', 'broker', 'telemetry', 'history'],
  store: ['contracts', 'history', 'telemetry'],
  runtime: ['contracts', 'telemetry'],
  catalog: ['contracts'],
  'local-broker': [],
  outbound: [],
};

/** Each third-party client lives behind one lib (express also behind the services that speak HTTP). */
const ownedBy = {
  amqplib: ['libs/broker/'],
  'amqp-connection-manager': ['libs/broker/'],
  'prom-client': ['libs/telemetry/'],
  '@opentelemetry/api': ['libs/telemetry/'],
  // What collects and sends spans is a process's own choice; libs only make them.
  '@opentelemetry/(?!api/)[^/]+': ['libs/runtime/'],
  pino: ['libs/telemetry/'],
  pg: ['libs/store/'],
  '@electric-sql/pglite': ['libs/store/'],
  opossum: ['libs/breaker/'],
  uuid: ['libs/contracts/'],
  express: ['libs/runtime/', 'services/gateway/', 'services/email/'],
  nodemailer: ['services/email/'],
  'smtp-server': ['services/email/'],
  commander: ['services/admin/'],
  liquidjs: ['services/email/'],
  unpdf: ['services/documents/'],
};

/** What no program loads. */
const ONLY_FOR_TESTS = '[.](test|fixture)[.]ts$';

const layers = Object.entries(mayImport).map(([lib, allowed]) => ({
  name: `layer-${lib}`,
  comment: `libs/${lib} may import ${allowed.join(', ') || 'no other lib'}`,
  severity: 'error',
  from: { path: `^libs/${lib}/`, pathNot: ONLY_FOR_TESTS },
  to: { path: '^libs/', pathNot: [lib, ...allowed].map((name) => `^libs/${name}/`) },
}));

const owners = Object.entries(ownedBy).map(([pkg, folders]) => ({
  name: `owner-${pkg}`,
  severity: 'error',
  from: {
    path: '^(libs|services)/',
    pathNot: [...folders.map((folder) => `^${folder}`), '^libs/testing/', '[.]test[.]ts$'],
  },
  to: { path: `(^|node_modules/)(@types/)?${pkg}(/|$)` },
}));

module.exports = {
  forbidden: [
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: { pathNot: '^bench/peers/' },
      // A package of declarations only, which has nothing that could be resolved.
      to: { couldNotResolve: true, pathNot: '^kubernetes-types/' },
    },
    {
      name: 'peers-not-to-unresolvable',
      comment: 'what is compared with is installed on demand; everything else must be there',
      severity: 'error',
      from: { path: '^bench/peers/' },
      to: { couldNotResolve: true, path: '^([.]|@warren/|node:)' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'libs-never-import-services',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^services/' },
    },
    {
      name: 'services-never-import-each-other',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: '^services/local/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'services-only-through-their-door',
      severity: 'error',
      from: { path: '^(services/local|test|bench|demo)/' },
      to: { path: '^services/[^/]+/src/(?!index[.]ts$)', pathNot: '^services/local/' },
    },
    {
      name: 'front-door-only',
      severity: 'error',
      from: { path: '^(?:libs|services)/([^/]+)/|^(test|bench|demo|grafana|deploy)/' },
      to: { path: '^libs/[^/]+/src/(?!index[.]ts$)', pathNot: '^libs/$1/' },
    },
    {
      name: 'dashboards-without-their-preview',
      severity: 'error',
      from: { path: '^grafana/src/' },
      to: { path: '^grafana/preview/' },
    },
    {
      name: 'preview-of-files-alone',
      comment: 'what is read and drawn is what Grafana would read: generated files, and Prometheus',
      severity: 'error',
      from: { path: '^grafana/preview/(read|draw)/' },
      to: { path: '^(grafana/src|libs|services|test|bench|demo|deploy)/' },
    },
    {
      name: 'testing-only-from-tests',
      severity: 'error',
      from: { path: '^(libs/(?!testing/)|services/)', pathNot: ONLY_FOR_TESTS },
      to: { path: '^libs/testing/' },
    },
    {
      name: 'fixtures-only-from-tests',
      severity: 'error',
      from: { path: '^(libs|services)/', pathNot: `${ONLY_FOR_TESTS}|[.]micro[.]ts$|/fixtures/` },
      to: { path: '[.]fixture[.]ts$' },
    },
    {
      name: 'only-own-dependencies',
      comment:
        'a lib or service runs where nothing is installed but the dependencies of its package.json',
      severity: 'error',
      from: {
        path: '^(libs|services)/[^/]+/src/',
        pathNot: '^libs/testing/|([.]test|[.]fixture|[.]micro)[.]ts$|/fixtures/',
      },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional'] },
    },
    ...layers,
    ...owners,
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    // Not every dist folder: packages live in theirs, and an excluded package breaks no rule.
    exclude: { path: '^(libs|services)/[^/]+/(dist|coverage)/' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
