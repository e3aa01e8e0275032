import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Options, readOptions } from './options.ts';
import { readDashboards } from './read/dashboard-file.ts';
import { prometheusAt } from './read/prometheus.ts';
import { missingBrowser, takeScreenshots } from './screenshots.ts';
import { onStage } from './stage/stage.ts';
import { playStory } from './stage/story.ts';
import { writePage } from './write-pages.ts';

const GENERATED = join(import.meta.dirname, '../generated/dashboards');
const HOLD_MS = 60_000;
const print = (line: string) => console.log(line);

/** `npm run grafana:preview`: pages and screenshots of all dashboards, from a run or from a Prometheus that is there. */
async function main(options: Options): Promise<void> {
  const missing = missingBrowser();
  if (missing) print(`Pages only: ${missing}`);
  const { prometheusUrl, untilSeconds = Date.now() / 1_000 } = options;
  if (prometheusUrl !== undefined) return draw(options, prometheusUrl, untilSeconds);
  const stopped = stopSignal();
  await onStage(options.intervalSeconds, async (stage) => {
    print(`A shop at work for ${options.seconds} s`);
    await playStory(stage, options.seconds, stopped, print);
    const until = Math.floor(Date.now() / 1_000);
    await draw(options, stage.prometheusUrl, until);
    if (options.isHeld) await held(stage.prometheusUrl, until, stopped);
  });
}

async function draw(options: Options, url: string, untilSeconds: number): Promise<void> {
  const { seconds, intervalSeconds, queue, folder } = options;
  const source = {
    prometheus: prometheusAt(url),
    scrapeSeconds: intervalSeconds,
    window: { fromSeconds: untilSeconds - seconds, untilSeconds, stepSeconds: intervalSeconds },
    wished: { queue },
    folder,
  };
  const pages = [];
  for (const dashboard of readDashboards(GENERATED)) {
    const page = await writePage(dashboard, source);
    pages.push(page);
    print(page.page);
    for (const title of page.empty) print(`  nothing to show: ${title}`);
  }
  if (!missingBrowser()) await takeScreenshots(pages);
}

/** Aborted when the user has had enough: what was started is to be stopped all the same. */
function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => stopped.abort(new Error(`stopped by ${name}`)));
  }
  return stopped.signal;
}

async function held(url: string, until: number, stopped: AbortSignal): Promise<void> {
  print(`Again: npm run grafana:preview -- --prometheus ${url} --until ${until}`);
  while (!stopped.aborted) await pause(HOLD_MS, undefined, { signal: stopped }).catch(() => {});
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
