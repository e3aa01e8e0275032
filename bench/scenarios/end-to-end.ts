import { endToEndApart } from '../apart/end-to-end-apart.ts';
import type { Scenario } from '../compare.ts';
import { contestant } from '../measure/contestant.ts';
import { APART_FIGURES } from '../measure/figures.ts';
import { endToEndFailing, endToEnd as endToEndTogether } from '../measure/throughput.ts';
import { payload, payloadOf } from '../payload.ts';
import { amqplibByHand, warren as warrenOf } from '../systems/own-systems.ts';
import { ratioAtLeast } from '../target.ts';

const NAMESPACE = 'benchend';
const CONCURRENCY = 10;
const RATE = { rate: { unit: 'jobs/s' } };

/** Publisher and worker in one process, at the same time, until the last job is handled. */
export function endToEnd(url: string): Scenario[] {
  const load = { count: 30_000, concurrency: CONCURRENCY, payload };
  const { warren, told, bare } = systems(url);
  return [
    {
      name: 'end to end',
      figures: RATE,
      contestants: [warren, told, bare].map((one) => contestant(one, endToEndTogether, load)),
      pairs: [
        { subject: warren.name, against: bare.name, targets: { rate: ratioAtLeast(1) } },
        {
          // Against amqplib without any history: this is what knowing what became of each job costs.
          subject: told.name,
          against: bare.name,
          scenario: 'end to end with history',
          targets: { rate: ratioAtLeast(1) },
        },
        { subject: told.name, against: warren.name, scenario: 'history on against off' },
      ],
    },
  ];
}

/** In a process each, with what both take of the machine. */
export function endToEndInTwo(url: string): Scenario[] {
  const load = { count: 30_000, concurrency: CONCURRENCY, payload };
  const { told, bare } = systems(url);
  return [
    {
      name: 'end to end, two processes',
      figures: APART_FIGURES,
      contestants: [told, bare].map((one) => contestant(one, endToEndApart, load)),
      pairs: [{ subject: told.name, against: bare.name, targets: { rate: ratioAtLeast(1) } }],
    },
  ];
}

/** With payloads of other sizes. */
export function endToEndBySize(url: string): Scenario[] {
  const { told, bare } = systems(url);
  const loads = [
    { kB: 10, count: 10_000 },
    { kB: 100, count: 2_000 },
  ];
  return loads.map(({ kB, count }) => ({
    name: `end to end, ${kB} kB`,
    figures: RATE,
    contestants: [told, bare].map((one) =>
      contestant(one, endToEndTogether, {
        count,
        concurrency: CONCURRENCY,
        payload: payloadOf(kB * 1_000),
      }),
    ),
    pairs: [{ subject: told.name, against: bare.name }],
  }));
}

/** What it costs that every tenth job fails once, and comes again after a second. */
export function endToEndWithFailures(url: string): Scenario[] {
  const load = { count: 30_000, concurrency: CONCURRENCY, payload };
  const { told } = systems(url);
  const [failing, well] = ['warren, 10 % fail once', 'warren, none fails'];
  return [
    {
      name: 'end to end with failures',
      figures: RATE,
      contestants: [
        contestant(told, endToEndFailing, load, failing),
        contestant(told, endToEndTogether, load, well),
      ],
      pairs: [{ subject: failing, against: well }],
    },
  ];
}

function systems(url: string) {
  return {
    warren: warrenOf(url, NAMESPACE, { history: false }),
    told: warrenOf(url, NAMESPACE, { history: true }),
    bare: amqplibByHand(url, NAMESPACE, 'single acks'),
  };
}
