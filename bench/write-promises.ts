import { readFileSync, writeFileSync } from 'node:fs';
import { noOptions, optionsOf } from './command-line.ts';
import { toPromises } from './promises.ts';
import { toSettingLine } from './report.ts';
import { RESULTS, readResults } from './results.ts';

/** Puts what the last run has shown of what is promised into the documentation. */
optionsOf({
  name: 'bench:promises',
  usage: `Usage: npm run bench:promises

Puts what the last run has shown of what is promised into docs/performance.md; there are no options.`,
  read: noOptions,
});

const PAGE = new URL('../docs/performance.md', import.meta.url);
const BETWEEN = /(<!-- promises -->\n)[\s\S]*(\n<!-- \/promises -->)/;

const report = readResults(RESULTS);
if (!report) throw new Error('bench/results/latest.json: nothing was measured yet');
const page = readFileSync(PAGE, 'utf8');
if (!BETWEEN.test(page)) throw new Error(`${PAGE.pathname}: no place for the promises`);
const text = `${toSettingLine(report)}\n\n${toPromises(report.results)}`;
writeFileSync(
  PAGE,
  page.replace(BETWEEN, (_all, begin: string, end: string) => `${begin}\n${text}\n${end}`),
);
