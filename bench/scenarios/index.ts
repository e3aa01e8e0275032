import type { Scenario } from '../compare.ts';
import { consume, consumeAtConcurrency } from './consume.ts';
import { endToEnd, endToEndBySize, endToEndInTwo, endToEndWithFailures } from './end-to-end.ts';
import { http } from './http.ts';
import { latency } from './latency.ts';
import { once } from './once.ts';
import { publish, publishInTurn } from './publish.ts';
import { retryLateness } from './retry-lateness.ts';
import { telemetry } from './telemetry.ts';

type Make = (url: string) => Scenario[];

const QUICK: readonly Make[] = [publish, consume, endToEnd, http, once, retryLateness];

const MORE: readonly Make[] = [
  publishInTurn,
  consumeAtConcurrency,
  endToEndBySize,
  endToEndWithFailures,
  endToEndInTwo,
  latency,
  telemetry,
];

/** What a change to the path of a job is to be checked with. */
export const quickScenarios: Make = (url) => QUICK.flatMap((make) => make(url));

/** All that is compared with hand-written amqplib. */
export const allScenarios: Make = (url) => [...QUICK, ...MORE].flatMap((make) => make(url));
