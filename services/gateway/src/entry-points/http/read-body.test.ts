import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { readBody } from './read-body.ts';

/** A request of which nothing comes but what a test pushes. */
const silentRequest = () => new IncomingMessage(new Socket());

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('gives up a body that does not arrive in time', async () => {
  const request = silentRequest();
  const body = readBody(request, 100, 20);
  request.push('half of it');
  await expect(body).rejects.toMatchObject({ status: 408, code: 'BAD_REQUEST' });
  expect(request.listenerCount('data')).toBe(0);
});

it('waits no longer for a body that has arrived', async () => {
  const before = timers();
  const request = silentRequest();
  const body = readBody(request, 100, 60_000);
  expect(timers()).toBe(before + 1);
  request.push('all');
  request.push(null);
  expect((await body).toString()).toBe('all');
  expect(timers()).toBe(before);
});
