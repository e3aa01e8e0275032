import { NonRetryableError } from '@warren/contracts';
import { Circuit } from './circuit.ts';
import { verdictOn } from './verdict.ts';

const circuit = new Circuit({
  policy: {
    volumeThreshold: 10,
    errorThresholdPercentage: 50,
    windowMs: 10_000,
    resetTimeoutMs: 30_000,
    capacity: 10,
  },
});
// Its timers must not keep the process from ending; it goes on to answer.
circuit.close();
const down = new Error('down');
const wrong = new NonRetryableError('wrong');

/** One operation each; run by `npm run bench:micro`. */
export const micro: Readonly<Record<string, () => unknown>> = {
  'let a call through, and settle it': letThrough,
  'judge a failure': () => verdictOn(down, () => true),
  'judge an error that says nothing': () => verdictOn(wrong, () => true),
};

function letThrough(): unknown {
  const permit = circuit.enter();
  if (typeof permit !== 'string') void permit.end('neutral');
  return permit;
}
