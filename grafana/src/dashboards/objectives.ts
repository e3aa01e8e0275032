import type { Section } from './dashboard.ts';
import { lines, stat } from './panel.ts';
import type { Choice } from './variables.ts';

const SHARES = ['0.9', '0.95', '0.99', '0.995', '0.999'];

/** The share of jobs that should start in time. */
export const START_OBJECTIVE: Choice = {
  name: 'start_objective',
  label: 'Should start in time',
  values: SHARES,
  value: '0.99',
};

/** The share of jobs that should succeed rather than become dead letters. */
export const SUCCESS_OBJECTIVE: Choice = {
  name: 'success_objective',
  label: 'Should succeed',
  values: SHARES,
  value: '0.95',
};

const DAYS = 30;
const KEPT = `Over ${DAYS} days, or as long as Prometheus keeps its data.`;

/** Shares are NaN where nothing happened; a comparison that is always true, but not of NaN, leaves those out. */
const missed = (bad: string, all: string, window: string): string =>
  `sum_over_time(warren:${bad}:rate5m[${window}]) / sum_over_time(warren:${all}:rate5m[${window}])`;
const met = (bad: string, all: string): string => `1 - ${missed(bad, all, `${DAYS}d`)} >= 0`;
const left = (bad: string, all: string, { name }: Choice): string =>
  `1 - (${missed(bad, all, `${DAYS}d`)} >= 0) / (1 - $${name})`;
const burnt = (bad: string, all: string, { name }: Choice) =>
  ['1h', '6h'].map((window) => ({
    expr: `(${missed(bad, all, window)} >= 0) / (1 - $${name})`,
    legend: `last ${window}`,
  }));

export const OBJECTIVES: Section = {
  title: `Objectives, ${DAYS} days`,
  panels: [
    stat({
      title: 'Started in time, 30 days',
      description: `Share of jobs that started as soon as their type asks for. ${KEPT}`,
      unit: 'percentunit',
      expr: met('late_starts', 'starts'),
      width: 6,
    }),
    stat({
      title: 'Late starts: budget left',
      description: `Of the jobs that may start late by the objective above, the share that has not yet. Below 0 the objective is missed. ${KEPT}`,
      unit: 'percentunit',
      expr: left('late_starts', 'starts', START_OBJECTIVE),
      badBelow: 0,
      width: 6,
    }),
    stat({
      title: 'Succeeded, 30 days',
      description: `Share of ended jobs that succeeded rather than became dead letters. ${KEPT}`,
      unit: 'percentunit',
      expr: met('dead_ends', 'ends'),
      width: 6,
    }),
    stat({
      title: 'Dead letters: budget left',
      description: `Of the jobs that may die by the objective above, the share that has not yet. Below 0 the objective is missed. ${KEPT}`,
      unit: 'percentunit',
      expr: left('dead_ends', 'ends', SUCCESS_OBJECTIVE),
      badBelow: 0,
      width: 6,
    }),
    lines({
      title: 'Late starts: how fast the budget burns',
      description:
        'At 1 it lasts for just 30 days, at 14.4 for two. Alerts look at each queue: JobStartsLateFast pages from 14.4 on in an hour, JobStartsLateSlow opens a ticket from 6 on in six; both reckon with 99 %.',
      unit: 'short',
      badFrom: 14.4,
      queries: burnt('late_starts', 'starts', START_OBJECTIVE),
    }),
    lines({
      title: 'Dead letters: how fast the budget burns',
      description:
        'At 1 it lasts for just 30 days. JobFailureRatioHigh pages for a job type from 5 % of its jobs on, whatever is chosen here.',
      unit: 'short',
      badFrom: 14.4,
      queries: burnt('dead_ends', 'ends', SUCCESS_OBJECTIVE),
    }),
  ],
};
