import { setImmediate as turn } from 'node:timers/promises';
import { newJobId } from '@warren/contracts';
import type { HistoryEvent } from '@warren/history';
import type { Outbox, UniqueAcceptance, Uniqueness } from '@warren/store';
import { eventually, testStores } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptance, jobBase } from './support/store-events.ts';

const HOUR_MS = 3_600_000;

function unique(uniqueness: Uniqueness, body = '{}'): UniqueAcceptance {
  const { message, event } = acceptance(newJobId());
  return { message: { ...message, body: Buffer.from(body) }, event, uniqueness };
}

const active = (key: string, maxAgeMs = HOUR_MS): Uniqueness => ({ kind: 'active', key, maxAgeMs });
const throttle = (key: string, periodMs = HOUR_MS): Uniqueness => ({
  kind: 'throttle',
  key,
  periodMs,
});
const debounce = (key: string, waitMs: number, maxWaitMs = HOUR_MS): Uniqueness => ({
  kind: 'debounce',
  key,
  waitMs,
  maxWaitMs,
});

const lease = (outbox: Outbox) => outbox.lease({ owner: 'a', limit: 100, leaseMs: HOUR_MS });
const ended = (id: string, kind: 'cancelled' | 'expired'): HistoryEvent => ({
  ...jobBase(id),
  kind,
  atMs: Date.now(),
  run: '',
});

testStores({ describe, beforeAll, afterAll }, (bench) => {
  it('makes one job of 50 requests at once, through two gateways, and another once it has ended', async () => {
    const { outbox, projection, jobs } = bench.store;
    const { outbox: elsewhere } = await bench.open();
    const key = `order \0 ${newJobId()}`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        (at % 2 === 0 ? outbox : elsewhere).acceptUnique([unique(active(key))]),
      ),
    );
    const made = answers.flat().filter(({ kind }) => kind === 'accepted');
    expect(made).toHaveLength(1);
    const [{ id } = { id: '' }] = made as { id: string }[];
    const others = answers.flat().filter((answer) => answer !== made[0]);
    expect(others).toEqual(others.map(() => ({ kind: 'duplicate', id })));
    expect((await lease(outbox)).map((message) => message.id)).toEqual([id]);
    expect(await jobs.find(id)).toMatchObject([{ state: 'accepted', dueAtMs: undefined }]);
    await outbox.done([id]);

    const again = () => outbox.acceptUnique([unique(active(key))]);
    await projection.apply([
      { ...jobBase(id), kind: 'queued', atMs: Date.now(), run: '', service: 'gateway' },
    ]);
    expect(await again(), 'its job is under way').toEqual([{ kind: 'duplicate', id }]);
    expect(
      await outbox.acceptUnique([unique(active(`${key}\0`)), unique(throttle(key))]),
      'another key, and another kind',
    ).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }]);
    await projection.apply([ended(id, 'cancelled')]);
    expect(await again()).toMatchObject([{ kind: 'accepted' }]);
    await outbox.done((await lease(outbox)).map((message) => message.id));
  });

  it('frees a key after its time, though no end of its job was ever told, and forgets it', async () => {
    const { outbox, retention } = bench.store;
    const key = newJobId();
    for (const kind of [active, throttle]) {
      const [first] = await outbox.acceptUnique([unique(kind(key, 50))]);
      const next = await eventually('its time is over', async () => {
        const [answer] = await outbox.acceptUnique([unique(kind(key))]);
        return answer?.kind === 'accepted' && answer;
      });
      expect(next).not.toEqual(first);
      expect(await outbox.acceptUnique([unique(kind(key))])).toEqual([
        { ...next, kind: 'duplicate' },
      ]);
    }
    const before = await retention.uniqueKeys({ limit: 100 });
    await outbox.acceptUnique([1, 2, 3].map((at) => unique(throttle(`${key} ${at}`, 1))));
    let forgotten = before;
    await eventually('all that is over is forgotten', async () => {
      forgotten += await retention.uniqueKeys({ limit: 1 });
      return forgotten >= before + 3;
    });
    expect(await outbox.acceptUnique([unique(throttle(key))])).toMatchObject([
      { kind: 'duplicate' },
    ]);
    await outbox.done((await lease(outbox)).map((message) => message.id));
  });

  it('keeps the key of a throttled job that has ended, and drops that of an active one with the job', async () => {
    const { outbox, projection } = bench.store;
    const key = newJobId();
    const answers = await outbox.acceptUnique([unique(throttle(key)), unique(active(key))]);
    const ids = answers.map((answer) => ('id' in answer ? answer.id : ''));
    await projection.apply(ids.map((id) => ended(id, 'expired')));
    await outbox.done(ids);
    await projection.prune({ endedBeforeMs: Date.now() + HOUR_MS, limit: 100 });
    const later = await outbox.acceptUnique([unique(throttle(key)), unique(active(key))]);
    expect(later).toMatchObject([{ kind: 'duplicate', id: ids[0] }, { kind: 'accepted' }]);
    await outbox.done((await lease(outbox)).map((message) => message.id));
  });

  it('has a job wait, and gives it the last payload of all that came meanwhile', async () => {
    const { outbox, jobs } = bench.store;
    const { outbox: elsewhere } = await bench.open();
    const key = newJobId();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 === 0 ? outbox : elsewhere).acceptUnique([unique(debounce(key, HOUR_MS), `${at}`)]),
      ),
    );
    const made = answers.flat().filter(({ kind }) => kind === 'accepted');
    expect(made).toHaveLength(1);
    const [{ id } = { id: '' }] = made as { id: string }[];
    expect(
      answers.flat().filter((answer) => answer.kind === 'replaced' && answer.id === id),
    ).toHaveLength(9);
    expect(await lease(outbox), 'nobody takes it').toEqual([]);
    expect(await outbox.pending()).toEqual({ count: 0, oldestAtMs: undefined });
    const [waiting] = await jobs.find(id);
    expect(waiting).toMatchObject({ state: 'accepted', correlationId: undefined });
    expect(waiting?.dueAtMs).toBeGreaterThan(Date.now() + HOUR_MS / 2);

    const last = unique(debounce(key, 1), '"last"');
    const event = { ...last.event, service: 'shop', correlationId: 'c' };
    const before = unique(debounce(key, HOUR_MS), '"before"');
    expect(await outbox.acceptUnique([before, { ...last, event }])).toEqual([
      { kind: 'replaced', id },
      { kind: 'replaced', id },
    ]);
    expect(await jobs.find(id)).toMatchObject([
      { state: 'accepted', service: 'shop', correlationId: 'c' },
    ]);
    const [message] = await eventually('it is due', async () => {
      const taken = await lease(outbox);
      return taken.length > 0 && taken;
    });
    expect(message).toMatchObject({ id, body: Buffer.from('"last"') });
    const headers = message?.properties['headers'] as Record<string, unknown>;
    expect(message?.properties['messageId']).toBe(id);
    expect(headers).toMatchObject({ note: 'a\0\ud800', 'x-published-at': expect.any(Number) });
    const next = await outbox.acceptUnique([unique(debounce(key, HOUR_MS))]);
    expect(next, 'a relay has it').toMatchObject([{ kind: 'accepted' }]);
    expect(next).not.toMatchObject([{ id }]);
    await outbox.done([id, ...next.map((answer) => ('id' in answer ? answer.id : ''))]);
  });

  it('puts a job off no longer than its bound, which the last request sets', async () => {
    const { outbox } = bench.store;
    const key = newJobId();
    await outbox.acceptUnique([unique(debounce(key, HOUR_MS), '1')]);
    await outbox.acceptUnique([unique(debounce(key, HOUR_MS, 1), '2')]);
    const [message] = await eventually('it is due', async () => {
      const taken = await lease(outbox);
      return taken.length > 0 && taken;
    });
    expect(message?.body.toString()).toBe('2');
    await outbox.done([message?.id ?? '']);
  });

  it('never replaces what a relay took, however close the two come', async () => {
    const { outbox } = bench.store;
    const { outbox: elsewhere } = await bench.open();
    const key = newJobId();
    const answered: { id: string; body: string }[] = [];
    const taken: { id: string; body: string }[] = [];
    let isOver = false;
    const relay = async () => {
      while (!isOver) {
        const messages = await elsewhere.lease({ owner: 'r', limit: 10, leaseMs: HOUR_MS });
        taken.push(...messages.map(({ id, body }) => ({ id, body: body.toString() })));
        await elsewhere.done(messages.map(({ id }) => id));
        // The embedded store answers without ever giving timers a turn.
        await turn();
      }
    };
    const relayed = relay();
    try {
      for (let at = 0; at < 60; at += 1) {
        const [answer] = await outbox.acceptUnique([unique(debounce(key, at % 3), `${at}`)]);
        if (answer && 'id' in answer) answered.push({ id: answer.id, body: `${at}` });
        await turn();
      }
      const ids = new Set(answered.map(({ id }) => id));
      await eventually('all are taken', () => Promise.resolve(taken.length >= ids.size));
      expect(taken).toHaveLength(ids.size);
    } finally {
      isOver = true;
      await relayed;
    }
    for (const { id, body } of taken) {
      expect(answered.filter((one) => one.id === id).at(-1)?.body).toBe(body);
    }
  });

  it('makes another job once the one that waits is not to be replaced', async () => {
    const { outbox } = bench.store;
    const key = newJobId();
    const [first] = await outbox.acceptUnique([unique(debounce(key, HOUR_MS))]);
    await outbox.endReplacing(first && 'id' in first ? first.id : '');
    const [second] = await outbox.acceptUnique([unique(debounce(key, HOUR_MS))]);
    expect(second).toMatchObject({ kind: 'accepted' });
    expect(second).not.toEqual(first);
    await outbox.done([first, second].map((one) => (one && 'id' in one ? one.id : '')));
  });

  it('answers what is known when there is no room for more, and makes nothing', async () => {
    const { outbox, jobs } = await bench.open({ maxPending: 2 });
    const key = newJobId();
    const batch = [unique(active(key)), unique(debounce(key, HOUR_MS))];
    const made = await outbox.acceptUnique(batch);
    const refused = { ...unique(throttle(key)), knownOnly: true };
    const full = unique(throttle(`${key}\0`));
    expect(
      await outbox.acceptUnique([unique(active(key)), refused, full, unique(debounce(key, 1))]),
    ).toEqual([
      { ...made[0], kind: 'duplicate' },
      { kind: 'refused' },
      { kind: 'full', pending: 2 },
      { ...made[1], kind: 'replaced' },
    ]);
    expect(await jobs.find(full.message.id)).toEqual([]);
    await outbox.done(batch.map(({ message }) => message.id));
    await eventually('there is room', async () => {
      const [answer] = await outbox.acceptUnique([full]);
      return answer?.kind === 'accepted';
    });
    await outbox.done([full.message.id]);
  });

  it('knows a key that came before, whatever is in it, by the payload that it came with, and writes nothing', async () => {
    const { outbox } = bench.store;
    const key = `${newJobId()} \0\ud800 ${'k'.repeat(2_000)}`;
    const of = (payloadHash: string, name = key) => ({ key: name, payloadHash });
    expect(await outbox.findKey(of('hash \0'))).toBeUndefined();
    const { message, event } = acceptance(newJobId());
    const accept = () => outbox.accept([{ message, event, idempotency: of('hash \0') }]);
    expect(await accept(), 'asking wrote nothing').toMatchObject([{ kind: 'accepted' }]);
    const { outbox: full } = await bench.open({ maxPending: 1 });
    expect(await full.findKey(of('hash \0'))).toEqual({ kind: 'duplicate', id: message.id });
    expect(await full.findKey(of('hash'))).toEqual({ kind: 'conflict', id: message.id });
    expect(await full.findKey(of('hash \0', `${key}\0`))).toBeUndefined();
    expect(await accept()).toEqual([{ kind: 'duplicate', id: message.id }]);
    await outbox.done([message.id]);
  });
});
