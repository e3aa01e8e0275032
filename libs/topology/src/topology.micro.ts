import { createNames } from './names.ts';

const names = createNames('bench');

/** One operation each; run by `npm run bench:micro`. */
export const micro: Readonly<Record<string, () => unknown>> = {
  'name a queue of a lane': () => names.laneQueue('email.send', 'high'),
  'name a retry tier': () => names.retry({ name: '10s' }),
};
