import type { METRICS, MetricName } from './metric-table.ts';

type Table = typeof METRICS;
type Values<Allowed> = Allowed extends readonly (infer Value extends string)[] ? Value : string;

/** The labels that a metric takes: every one of them, and only values of its closed set. */
export type LabelsOf<Name extends MetricName> = {
  readonly [Label in keyof Table[Name]['labels']]: Values<Table[Name]['labels'][Label]>;
};

/** One series of a counter. What is not above 0 (a clock that was set back) is not counted. */
export interface CounterSeries {
  inc(value?: number): void;
}
/** One series of a gauge. */
export interface GaugeSeries {
  set(value: number): void;
  inc(value?: number): void;
  dec(value?: number): void;
}
/** One series of a histogram. NaN is not counted. A trace that is named becomes the exemplar of its bucket. */
export interface HistogramSeries {
  observe(value: number, traceId?: string): void;
}

/** A counter with labels. In hot paths keep the result of `labels()`: it saves the look-up. */
export interface LabelledCounter<Labels> {
  inc(labels: Labels, value?: number): void;
  labels(labels: Labels): CounterSeries;
}
/** A gauge with labels; `remove` ends a series whose subject is gone. */
export interface LabelledGauge<Labels> {
  set(labels: Labels, value: number): void;
  inc(labels: Labels, value?: number): void;
  dec(labels: Labels, value?: number): void;
  labels(labels: Labels): GaugeSeries;
  remove(labels: Labels): void;
}
/** A histogram with labels. */
export interface LabelledHistogram<Labels> {
  observe(labels: Labels, value: number): void;
  labels(labels: Labels): HistogramSeries;
}

interface Kinds<Labels> {
  counter: [CounterSeries, LabelledCounter<Labels>];
  gauge: [GaugeSeries, LabelledGauge<Labels>];
  histogram: [HistogramSeries, LabelledHistogram<Labels>];
}

/** What `metrics.<name>` is: typed by its row in the table. */
export type MetricOf<Name extends MetricName> = Kinds<
  LabelsOf<Name>
>[Table[Name]['type']][keyof LabelsOf<Name> extends never ? 0 : 1];
