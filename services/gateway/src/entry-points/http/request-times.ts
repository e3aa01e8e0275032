import type { IncomingMessage, ServerResponse } from 'node:http';
import { HTTP_METHODS, type HttpMethod, type Metrics, STATUS_CLASSES } from '@warren/telemetry';
import type { Route } from './route.ts';

type Durations = Metrics['jobs_http_request_duration_seconds'];
type Series = ReturnType<Durations['labels']>;

/** What is no route of the gateway. */
const NO_ROUTE = 'other';
/** The first of `STATUS_CLASSES` is that of 200. */
const FIRST_HUNDRED = 2;
const OK = STATUS_CLASSES.indexOf('2xx');
const NO_ANSWER = STATUS_CLASSES.indexOf('none');
/** Begin at 0, so that the first failure of a route is seen; a client's own mistake is no alarm. */
const FROM_THE_START = [OK, STATUS_CLASSES.indexOf('5xx')];

/** The durations of one method of one route. */
export class RouteTimes {
  readonly #durations: Durations;
  readonly #method: HttpMethod;
  readonly #route: string;
  /** By class; kept, since building labels costs more than counting. */
  readonly #series: (Series | undefined)[] = STATUS_CLASSES.map(() => undefined);

  constructor(durations: Durations, method: HttpMethod, route: string) {
    this.#durations = durations;
    this.#method = method;
    this.#route = route;
  }

  observe(statusClass: number, seconds: number): void {
    this.#at(statusClass).observe(seconds);
  }

  /** Creates the series that are to be there before the first request. */
  start(): this {
    for (const statusClass of FROM_THE_START) this.#at(statusClass);
    return this;
  }

  #at(index: number): Series {
    const kept = this.#series[index];
    if (kept) return kept;
    const status_class = STATUS_CLASSES[index] ?? 'none';
    const made = this.#durations.labels({
      method: this.#method,
      route: this.#route,
      status_class,
    });
    this.#series[index] = made;
    return made;
  }
}

const STARTED_MS = Symbol('started');
const TIMES = Symbol('times');

/** An answer that is being timed carries what for: a map beside it would be asked for each request. */
interface TimedResponse extends ServerResponse {
  [STARTED_MS]?: number | undefined;
  [TIMES]?: RouteTimes;
}

/** The durations of all requests, by method, route and class of status: closed sets, whatever clients ask for. */
export class RequestTimes {
  readonly #durations: Durations;
  readonly #noRoute: ReadonlyMap<string, RouteTimes>;
  readonly #noRouteNorMethod: RouteTimes;

  constructor(durations: Durations) {
    this.#durations = durations;
    const timesOf = (method: HttpMethod) => new RouteTimes(durations, method, NO_ROUTE);
    this.#noRoute = new Map(HTTP_METHODS.map((method) => [method, timesOf(method)]));
    this.#noRouteNorMethod = timesOf('other');
  }

  /** Times a request from now until its answer is closed. Until `ofRoute` says otherwise it is for no route. */
  begin({ method = '' }: IncomingMessage, response: TimedResponse): void {
    response[STARTED_MS] = performance.now();
    response[TIMES] = this.#noRoute.get(method) ?? this.#noRouteNorMethod;
    response.on('close', onClose);
  }

  /** Those of a route that is served. */
  served({ method, path }: Pick<Route, 'method' | 'path'>): RouteTimes {
    return new RouteTimes(this.#durations, served(method), path).start();
  }

  /** Those of a path and a method that it may not be served by. */
  of(method: HttpMethod, path: string): RouteTimes {
    return new RouteTimes(this.#durations, method, path);
  }
}

const served = (method: Route['method']): HttpMethod =>
  HTTP_METHODS.find((one) => one.toLowerCase() === method) ?? 'other';

/** Says which route a request took. */
export function timedAs(response: TimedResponse, times: RouteTimes): void {
  response[TIMES] = times;
}

/** From here on the answer waits for things to happen: what it took so far is what the gateway took. */
export function timedUntilNow(response: TimedResponse): void {
  observe(response, OK);
}

// One function for all answers: it is told which one by `this`.
function onClose(this: TimedResponse): void {
  observe(this, this.headersSent ? Math.floor(this.statusCode / 100) - FIRST_HUNDRED : NO_ANSWER);
}

function observe(response: TimedResponse, statusClass: number): void {
  const startedMs = response[STARTED_MS];
  if (startedMs === undefined) return;
  response[STARTED_MS] = undefined;
  response[TIMES]?.observe(statusClass, (performance.now() - startedMs) / 1_000);
}
