/** What every process of the bench is started with, whichever side it measures: the services' own flag, and the loader. */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=32', '--import', 'tsx'];
