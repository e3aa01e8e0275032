/** The kinds of tests that need no broker and no database. */
const WITHOUT_SERVERS = ['unit', 'meta'];

/** The values of `--project` among vitest's arguments; none means all kinds. */
export function namedProjects(args) {
  return args.flatMap((arg, index) => {
    if (arg.startsWith('--project=')) return [arg.slice('--project='.length)];
    return arg === '--project' && args[index + 1] !== undefined ? [args[index + 1]] : [];
  });
}

/** Whether a kind of test may run: patterns (`!unit`, `i*`) are taken to include it. */
export function mayRun(project, args) {
  const named = namedProjects(args);
  return named.length === 0 || named.some((name) => name === project || /[!*]/.test(name));
}

/** Whether tests that talk to a broker or a database may run. */
export function needsServers(args) {
  const named = namedProjects(args);
  return named.length === 0 || named.some((name) => !WITHOUT_SERVERS.includes(name));
}
