import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobQueues, Subscriber } from './check-options.ts';
import type { QueueSpec } from './specs.ts';
import { buildTopology, type Topology } from './topology.ts';

const RESERVED = ['jobs', 'retry', 'events', 'amq'];

const namespace = fc
  .stringMatching(/^[a-z][a-z0-9_-]{0,39}$/)
  .filter((word) => !RESERVED.includes(word));

/** Words that tempt names to meet: the kit's own endings, beginnings and tiers. */
const word = fc.constantFrom(
  'a',
  'b',
  'dead',
  'suspect',
  'high',
  'low',
  'jobs',
  'events',
  'retry',
  'due',
  '1s',
  'x'.repeat(30),
);

const jobType = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map((words) => words.join('.'))
  .filter(
    (name) =>
      /^[a-z]/.test(name) &&
      !/\.(dead|suspect|high|low)$/.test(name) &&
      !/^(jobs|events|retry)(\.|$)/.test(name),
  );

/** With at most one `#`, so that joined ones stay within what brokers take. */
const pattern = fc
  .tuple(fc.array(fc.oneof(word, fc.constant('*')), { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([words, isOpen]) => [...words, ...(isOpen ? ['#'] : [])].join('.'));

/** Job types, with lanes or without, and subscribers, which may not share a name. */
const options = fc
  .record({
    namespace: fc.option(namespace, { nil: undefined }),
    names: fc.uniqueArray(jobType, { maxLength: 7 }),
    share: fc.nat(7),
    lanes: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
    history: fc.option(fc.constant({}), { nil: undefined }),
    patterns: fc.array(fc.array(pattern, { minLength: 1, maxLength: 3 }), {
      minLength: 7,
      maxLength: 7,
    }),
  })
  .map(({ namespace: drawn, names, share, lanes, patterns, history }) => ({
    namespace: drawn,
    history,
    jobTypes: names.slice(0, share).map((type, index) => ({ type, lanes: lanes[index] })),
    subscribers: names
      .slice(share)
      .map((name, index) => ({ name, patterns: patterns[index] as string[] })),
  }));

function forEveryTopology(
  check: (
    topology: Topology,
    jobs: readonly JobQueues[],
    subscribers: readonly Subscriber[],
  ) => void,
): void {
  fc.assert(
    fc.property(options, (drawn) => {
      check(buildTopology(drawn), drawn.jobTypes, drawn.subscribers);
    }),
  );
}

/** Queues that a message reaches through an exchange, as the broker routes it: none of our keys has wildcards. */
function route(topology: Topology, exchange: string, key: string): string[] {
  const spec = topology.exchanges.find(({ name }) => name === exchange);
  if (!spec) throw new Error(`no exchange ${exchange}`);
  const found = topology.bindings
    .filter((binding) => binding.exchange === exchange)
    .filter((binding) => spec.type === 'fanout' || binding.routingKey === key)
    .map(({ queue }) => queue);
  const alternate = spec.arguments['alternate-exchange'];
  return found.length > 0 || alternate === undefined
    ? found
    : route(topology, String(alternate), key);
}

const ofRole = (topology: Topology, ...roles: QueueSpec['role'][]) =>
  topology.queues.filter(({ role }) => roles.includes(role));

const deadLetterExchange = (queue: QueueSpec) => queue.arguments['x-dead-letter-exchange'];

describe('every topology', () => {
  it('has names that fit into 255 bytes, each queue and each exchange once', () => {
    forEveryTopology(({ queues, exchanges }) => {
      for (const specs of [queues, exchanges]) {
        const names = specs.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      }
    });
  });

  it('leads each dead letter of a work or suspect queue to the dead queue of its job type', () => {
    forEveryTopology((topology) => {
      for (const queue of ofRole(topology, 'work', 'suspect')) {
        const key = String(queue.arguments['x-dead-letter-routing-key']);
        const reached = route(topology, String(deadLetterExchange(queue)), key);
        expect(reached).toEqual([topology.names.deadQueue(queue.jobType ?? '')]);
      }
    });
  });

  it('brings messages of every tier back to each work and suspect queue, and to no other', () => {
    forEveryTopology((topology) => {
      for (const tier of ofRole(topology, 'retry')) {
        expect(tier.arguments['x-dead-letter-routing-key']).toBeUndefined();
        for (const { name } of ofRole(topology, 'work', 'suspect')) {
          expect(route(topology, tier.name, name)).toEqual([tier.name]);
          expect(route(topology, String(deadLetterExchange(tier)), name)).toEqual([name]);
        }
      }
    });
  });

  it('parks what is meant for a queue that is gone', () => {
    forEveryTopology((topology) => {
      for (const exchange of [topology.names.due, topology.names.dead]) {
        expect(route(topology, exchange, 'gone')).toEqual([topology.names.unroutable]);
      }
    });
  });

  it('takes each job type in at exactly one binding for each lane, with an exact key', () => {
    forEveryTopology((topology, jobs) => {
      const { jobs: door, workQueue } = topology.names;
      const doors = topology.bindings.filter(({ exchange }) => exchange === door);
      expect(doors.map(({ routingKey, queue }) => [routingKey, queue])).toEqual(
        jobs.flatMap(({ type, lanes }) =>
          (lanes ? ['', '.high', '.low'] : ['']).map((ending) => [
            `${type}${ending}`,
            `${workQueue(type)}${ending}`,
          ]),
        ),
      );
    });
  });

  it('binds each subscriber to events by its own patterns, and to nothing else that is published', () => {
    forEveryTopology((topology, _, subscribers) => {
      const { events, due, dead, workQueue, deadQueue } = topology.names;
      const bound = topology.bindings.filter(({ exchange }) => exchange === events);
      expect(bound.map(({ queue, routingKey }) => [queue, routingKey])).toEqual(
        subscribers.flatMap(({ name, patterns }) => patterns.map((one) => [workQueue(name), one])),
      );
      for (const { name } of subscribers) {
        const own = [workQueue(name), deadQueue(name)];
        const doors = topology.bindings.filter(({ queue }) => own.includes(queue));
        const others = doors.filter(({ exchange }) => exchange !== events);
        expect(others.map(({ exchange }) => exchange)).toEqual([dead, due]);
      }
    });
  });

  it('gives a subscriber the queues of a job type', () => {
    forEveryTopology((topology, jobs, subscribers) => {
      const { namespace: ns } = topology.names;
      const all = [...jobs, ...subscribers.map(({ name }) => name)];
      const asJobs = buildTopology({ namespace: ns, jobTypes: all });
      const owned = topology.queues.filter(({ role }) => role !== 'stream');
      expect(JSON.stringify(owned)).toBe(JSON.stringify(asJobs.queues));
    });
  });

  it('has quorum queues with a positive delivery limit and nothing that could delete or refuse jobs', () => {
    forEveryTopology(({ queues }) => {
      for (const { arguments: args } of queues.filter(({ role }) => role !== 'stream')) {
        expect(args['x-queue-type']).toBe('quorum');
        expect(args['x-delivery-limit']).toBeGreaterThan(0);
        for (const key of ['x-expires', 'x-max-length', 'x-max-length-bytes']) {
          expect(args).not.toHaveProperty(key);
        }
      }
    });
  });

  it('dead-letters at least once wherever it dead-letters', () => {
    forEveryTopology(({ queues }) => {
      for (const { arguments: args } of queues.filter(deadLetterExchange)) {
        expect(args['x-dead-letter-strategy']).toBe('at-least-once');
        expect(args['x-overflow']).toBe('reject-publish');
      }
    });
  });
});

describe('the order of steps', () => {
  it('declares what a step refers to before the step', () => {
    forEveryTopology(({ steps }) => {
      const declared = new Set<string>();
      for (const step of steps) {
        if (step.kind === 'binding') {
          expect(declared).toContain(`exchange ${step.exchange}`);
          expect(declared).toContain(`queue ${step.queue}`);
          continue;
        }
        for (const key of ['alternate-exchange', 'x-dead-letter-exchange']) {
          const target = step.arguments[key];
          if (target !== undefined) expect(declared).toContain(`exchange ${target}`);
        }
        declared.add(`${step.kind} ${step.name}`);
      }
    });
  });

  it('binds an exchange completely before a queue that dead-letters into it is declared', () => {
    forEveryTopology(({ steps }) => {
      for (const [index, step] of steps.entries()) {
        const target = step.kind === 'queue' ? deadLetterExchange(step) : undefined;
        if (target === undefined) continue;
        const later = steps.slice(index).filter(({ kind }) => kind === 'binding');
        expect(later).not.toContainEqual(expect.objectContaining({ exchange: target }));
      }
    });
  });

  it('opens the front door last', () => {
    forEveryTopology(({ steps, names }, jobs) => {
      const doors = jobs.reduce((sum, { lanes }) => sum + (lanes ? 3 : 1), 0);
      const door = steps.slice(-doors - 1).map((step) => Object.values(step));
      for (const values of door) expect(values).toContain(names.jobs);
    });
  });
});

describe('namespaces', () => {
  const namesOf = ({ queues, exchanges }: Topology) =>
    new Set([...queues, ...exchanges].map(({ name }) => name));

  it('share no name', () => {
    fc.assert(
      fc.property(options, options, namespace, namespace, (one, other, a, b) => {
        fc.pre(a !== b);
        const names = namesOf(buildTopology({ ...one, namespace: a }));
        for (const name of namesOf(buildTopology({ ...other, namespace: b }))) {
          expect(names).not.toContain(name);
        }
      }),
    );
  });

  it('meet an installation without one only where the broker refuses a declaration', () => {
    const meeting = fc
      .record({ ns: fc.constantFrom('a', 'b', 'dead'), inner: jobType })
      .chain(({ ns, inner }) => {
        const same = ['dead', 'suspect', 'high', 'low'].includes(inner) ? ns : `${ns}.${inner}`;
        return fc
          .constantFrom(same, `${ns}.jobs.unroutable`, `${ns}.retry.1s`)
          .map((plain) => ({ ns, inner, plain }));
      });
    fc.assert(
      fc.property(meeting, ({ ns, inner, plain }) => {
        const lanes = ['high', 'low'].includes(inner);
        const bare = buildTopology({ jobTypes: [{ type: plain, lanes }] });
        const named = buildTopology({ jobTypes: [inner], namespace: ns });
        const twins = bare.queues.flatMap((queue) =>
          named.queues.filter(({ name }) => name === queue.name).map((twin) => ({ queue, twin })),
        );
        expect(twins).not.toEqual([]);
        const refused = twins.filter(
          ({ queue, twin }) => JSON.stringify(twin.arguments) !== JSON.stringify(queue.arguments),
        );
        expect(refused).not.toEqual([]);
      }),
    );
  });
});
