import type { AnnotationJson } from './grafana-model.ts';
import { DATASOURCE } from './panel-json.ts';

/** What happened, as a vertical line in every chart of a dashboard. */
export interface Annotation {
  readonly name: string;
  /** Above 0 where it happened, and nothing elsewhere; Grafana asks in steps of `$__interval`, never below `STEP`. */
  readonly expr: string;
  /** `{{service}}` is a label. */
  readonly text: string;
  readonly color: string;
}

/** Grafana joins what is no further apart than a step: an event is seen in one of them, or in two that follow. */
const STEP = '60s';

const VERSIONS = 'max by (service, version)';

/**
 * A version that was not there a step ago, of a service that has had two within the hour. A process that only starts
 * again is none; a version that comes back is one.
 */
const DEPLOYS: Annotation = {
  name: 'Deploys',
  expr:
    `${VERSIONS} (jobs_build_info) unless ${VERSIONS} (jobs_build_info offset $__interval)` +
    ` and on (service) count by (service) (${VERSIONS} (last_over_time(jobs_build_info[1h]))) > 1`,
  text: '{{service}} is now {{version}}',
  color: 'blue',
};

const OPENINGS: Annotation = {
  name: 'Circuits that opened',
  expr: 'sum by (breaker) (increase(jobs_circuit_breaker_transitions_total{to="open"}[$__rate_interval])) > 0',
  text: 'the circuit {{breaker}} opened',
  color: 'red',
};

/** On every dashboard: what else changes when a figure does. */
export const ANNOTATIONS: readonly Annotation[] = [DEPLOYS, OPENINGS];

/** Grafana 10 reads the query beside the name, later ones in `target`. */
export const annotationJson = ({ name, expr, text, color }: Annotation): AnnotationJson => ({
  name,
  datasource: DATASOURCE,
  enable: true,
  hide: false,
  iconColor: color,
  expr,
  step: STEP,
  titleFormat: name,
  textFormat: text,
  target: { refId: 'Anno', expr, interval: STEP, range: true, instant: false },
});
