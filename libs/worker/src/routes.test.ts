import { createNames, RETRY_TIERS } from '@warren/topology';
import { expect, it } from 'vitest';
import { Routes } from './routes.ts';

const routes = new Routes(createNames('ns'), 'ns.email.send', RETRY_TIERS);

it('leads into a queue, or through a tier back into its own', () => {
  expect(routes.toQueue()).toMatchObject({ exchange: 'ns.jobs.due', routingKey: 'ns.email.send' });
  expect(routes.toQueue('ns.email.send.suspect').routingKey).toBe('ns.email.send.suspect');
  expect(routes.toTier(5_000)).toEqual({
    exchange: 'ns.retry.5s',
    routingKey: 'ns.email.send',
    expirationMs: 5_000,
  });
});

it('knows its tiers, and no other', () => {
  expect(routes.tiersMs).toContain(250);
  expect(() => routes.toTier(7)).toThrow('no retry tier of 7 ms');
});
