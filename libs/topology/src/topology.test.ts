import { describe, expect, it } from 'vitest';
import type { Subscriber } from './check-options.ts';
import type { QueueSpec } from './specs.ts';
import { buildTopology } from './topology.ts';

const topology = buildTopology({ jobTypes: ['email.send', 'report.render'] });

function queue(name: string): QueueSpec {
  const found = topology.queues.find((spec) => spec.name === name);
  if (!found) throw new Error(`no queue ${name}`);
  return found;
}

describe('buildTopology', () => {
  it('has the streams of the history where they are asked for, and else none', () => {
    expect(topology.queues.filter(({ role }) => role === 'stream')).toEqual([]);
    const { queues, bindings, exchanges } = buildTopology({ jobTypes: [], history: {} });
    const streams = queues.filter(({ role }) => role === 'stream');
    expect(Object.fromEntries(streams.map(({ name, arguments: args }) => [name, args]))).toEqual({
      'jobs.history': {
        'x-queue-type': 'stream',
        'x-max-age': '7D',
        'x-max-length-bytes': 5_000_000_000,
        'x-stream-max-segment-size-bytes': 100_000_000,
      },
      'jobs.control': {
        'x-queue-type': 'stream',
        'x-max-length-bytes': 100_000_000,
        'x-stream-max-segment-size-bytes': 25_000_000,
      },
      'jobs.cancels': {
        'x-queue-type': 'stream',
        'x-max-age': '1D',
        'x-max-length-bytes': 100_000_000,
        'x-stream-max-segment-size-bytes': 25_000_000,
      },
    });
    expect(exchanges).toContainEqual(
      expect.objectContaining({ name: 'jobs.lifecycle', type: 'topic' }),
    );
    // Nothing else comes into a stream but what is sent to it by name.
    const bound = bindings.filter(({ queue }) => streams.some(({ name }) => name === queue));
    expect(bound).toEqual([
      { kind: 'binding', exchange: 'jobs.lifecycle', queue: 'jobs.history', routingKey: '#' },
    ]);
  });

  it.each([
    ['maxAge', { maxAge: '7 days' }],
    ['maxAge', { maxAge: '0D' }],
    ['maxBytes', { maxBytes: 0 }],
    ['maxBytes', { maxBytes: 1.5 }],
  ])('refuses a history with a wrong %s', (setting, history) => {
    expect(() => buildTopology({ jobTypes: [], history })).toThrow(setting);
  });

  it('gives every job type a work, a suspect and a dead queue', () => {
    const own = topology.queues.filter(({ jobType }) => jobType === 'email.send');
    expect(own.map(({ name, role }) => `${role} ${name}`).sort()).toEqual([
      'dead email.send.dead',
      'suspect email.send.suspect',
      'work email.send',
    ]);
  });

  it('gives a job type with lanes a queue for each, with the arguments of its work queue', () => {
    const laned = buildTopology({
      jobTypes: [{ type: 'a.b', lanes: true }, 'c.d'],
      namespace: 'n',
    });
    const worked = laned.queues.filter(({ role }) => role === 'work');
    expect(worked.map(({ name }) => name)).toEqual(['n.a.b', 'n.a.b.high', 'n.a.b.low', 'n.c.d']);
    for (const { jobType, arguments: args } of worked.slice(0, 3)) {
      expect(jobType).toBe('a.b');
      expect(args).toEqual(worked[0]?.arguments);
    }
  });

  it('dead-letters work and suspects into the same dead queue', () => {
    const expected = {
      'x-queue-type': 'quorum',
      'x-delivery-limit': 1_000,
      'x-dead-letter-exchange': 'jobs.dead',
      'x-dead-letter-routing-key': 'email.send',
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    };
    expect(queue('email.send').arguments).toEqual(expected);
    expect(queue('email.send.suspect').arguments).toEqual(expected);
    expect(topology.bindings).toContainEqual({
      kind: 'binding',
      exchange: 'jobs.dead',
      queue: 'email.send.dead',
      routingKey: 'email.send',
    });
  });

  it('keeps dead letters and the unroutable without limits that matter', () => {
    const expected = { 'x-queue-type': 'quorum', 'x-delivery-limit': 1_000_000 };
    expect(queue('email.send.dead').arguments).toEqual(expected);
    expect(queue('jobs.unroutable').arguments).toEqual(expected);
  });

  it('gives each tier a queue with its delay that returns messages to the queue they name', () => {
    expect(queue('retry.30s').arguments).toEqual({
      'x-queue-type': 'quorum',
      'x-delivery-limit': 1_000_000,
      'x-message-ttl': 30_000,
      'x-dead-letter-exchange': 'jobs.due',
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    });
  });

  it('catches what has no queue any more, except at the front door', () => {
    const exchanges = Object.fromEntries(
      topology.exchanges.map((spec) => [
        spec.name,
        `${spec.type} ${JSON.stringify(spec.arguments)}`,
      ]),
    );
    expect(exchanges).toMatchObject({
      jobs: 'topic {}',
      'jobs.due': 'direct {"alternate-exchange":"jobs.unroutable"}',
      'jobs.dead': 'topic {"alternate-exchange":"jobs.unroutable"}',
      'jobs.unroutable': 'fanout {}',
      'retry.250ms': 'fanout {}',
    });
  });

  it('keeps routing keys at the front door free of the namespace', () => {
    const { bindings } = buildTopology({ namespace: 'blue', jobTypes: ['email.send'] });
    const keys = bindings
      .filter(({ queue: name }) => name === 'blue.email.send')
      .map(({ exchange, routingKey }) => `${exchange} ${routingKey}`);
    expect(keys).toEqual(['blue.jobs.due blue.email.send', 'blue.jobs email.send']);
  });

  it('keeps patterns free of the namespace', () => {
    const { bindings } = buildTopology({
      namespace: 'blue',
      jobTypes: [],
      subscribers: [{ name: 'audit', patterns: ['order.#', 'user.created'] }],
    });
    const keys = bindings
      .filter(({ queue: name }) => name === 'blue.audit')
      .map(({ exchange, routingKey }) => `${exchange} ${routingKey}`);
    expect(keys).toEqual([
      'blue.jobs.due blue.audit',
      'blue.events order.#',
      'blue.events user.created',
    ]);
  });

  it('lets facts go where nobody reads them', () => {
    const events = topology.exchanges.find(({ name }) => name === 'events');
    expect(events).toMatchObject({ type: 'topic', arguments: {} });
    expect(topology.bindings.filter(({ exchange }) => exchange === 'events')).toEqual([]);
  });

  it('is frozen to the last argument', () => {
    expect(Object.isFrozen(topology)).toBe(true);
    expect(Object.isFrozen(topology.steps)).toBe(true);
    for (const step of topology.steps) {
      expect(Object.isFrozen(step)).toBe(true);
      if (step.kind !== 'binding') expect(Object.isFrozen(step.arguments)).toBe(true);
    }
  });

  it('takes other tiers', () => {
    const { queues } = buildTopology({ jobTypes: [], tiers: [{ name: '7s', delayMs: 7_000 }] });
    expect(queues.filter(({ role }) => role === 'retry').map(({ name }) => name)).toEqual([
      'retry.7s',
    ]);
  });
});

describe('buildTopology refuses', () => {
  const tier = { name: '7s', delayMs: 7_000 };
  const audit = { name: 'audit', patterns: ['order.#'] };

  it.each([
    [['a.b', 'a.b'], /^jobTypes: a\.b is there twice/],
    [['a.b', 'a.b.dead'], /"a\.b\.dead" may not end in "\.dead"/],
    [['a.b', 'a.b.suspect'], /may not end in "\.suspect"/],
    [['jobs.due'], /may not begin with "jobs\."/],
    [['a.#'], /^type: "a\.#"/],
  ])('job types %j', (jobTypes, message) => {
    expect(() => buildTopology({ jobTypes })).toThrow(message);
  });

  it.each([
    [[], /^tiers: expected at least one/],
    [[tier, tier], /^tiers: 7s is there twice/],
    [[{ ...tier, name: 'a.b' }], /^tiers: "a\.b" is no name/],
    [[{ ...tier, delayMs: 0 }], /^tiers: delayMs of 7s/],
    [[{ ...tier, delayMs: 1.5 }], /^tiers: delayMs of 7s/],
    [[{ ...tier, delayMs: 315_360_000_001 }], /^tiers: delayMs of 7s/],
  ])('tiers %j', (tiers, message) => {
    expect(() => buildTopology({ jobTypes: [], tiers })).toThrow(message);
  });

  it.each<[readonly Subscriber[], RegExp]>([
    [[audit, audit], /^subscribers: audit is there twice/],
    [[{ ...audit, name: 'email.send' }], /^subscribers: email\.send is there twice/],
    [[{ ...audit, patterns: [] }], /^subscribers: audit reads no event/],
    [[{ ...audit, patterns: ['order.#', 'Order'] }], /^pattern: "Order" must be words/],
    [[{ ...audit, patterns: ['#.#.#'] }], /^pattern: #\.#\.# has more than 2 #/],
    [[{ ...audit, name: 'audit.dead' }], /may not end in "\.dead"/],
    [[{ ...audit, name: 'events.audit' }], /may not begin with "events\."/],
    [[{ ...audit, name: 'events' }], /is reserved/],
    [[{ ...audit, name: 'audit.*' }], /must be lower-case words/],
  ])('subscribers %j', (subscribers, message) => {
    expect(() => buildTopology({ jobTypes: ['email.send'], subscribers })).toThrow(message);
  });

  it('a wrong namespace', () => {
    expect(() => buildTopology({ namespace: 'a.b', jobTypes: [] })).toThrow(/^namespace: "a\.b"/);
  });
});
