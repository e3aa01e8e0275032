import type { Scenario } from '../compare.ts';
import { consume, consumeAtConcurrency } from './consume.ts';
import { endToEnd, endToEndBySize, endToEndInTwo, endToEndWithFailures } from './end-to-end.ts';
import { http } from './http.ts';
import { latency } from './latency.ts';
import { once } from './once.ts';
import { publish, publishInTurn } from './publish.ts';
import { queues } from './queues.ts';
import { replay } from './replay.ts';
import { retryLateness } from './retry-lateness.ts';
import type { Scope } from './scope.ts';
import { telemetry } from './telemetry.ts';
import { waiting } from './waiting.ts';

type Make = (url: string, scope: Scope) => Scenario[];

const QUICK: readonly Make[] = [publish, consume, endToEnd, http, once, retryLateness];

const MORE: readonly Make[] = [
  publishInTurn,
  consumeAtConcurrency,
  endToEndBySize,
  endToEndWithFailures,
  endToEndInTwo,
  queues,
  latency,
  telemetry,
  replay,
  waiting,
];

/** What they are called, which no broker needs to be asked for. */
export const namesOf = (make: Make, scale: number): string[] =>
  make('', { scale, broker: '' }).map(({ name }) => name);

/** What a change to the path of a job is to be checked with. */
export const quickScenarios: Make = (url, scope) => QUICK.flatMap((make) => make(url, scope));

/** All that is compared with hand-written amqplib. */
export const allScenarios: Make = (url, scope) =>
  [...QUICK, ...MORE].flatMap((make) => make(url, scope));
