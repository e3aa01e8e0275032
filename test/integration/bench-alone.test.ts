import { sharedBrokerUrl } from '@warren/testing';
import { expect, it } from 'vitest';
import { alone, NotAloneError } from '../../bench/alone.ts';

it('runs once at a time on a broker, and again once it is over', async () => {
  const name = `bench-alone.${process.pid}`;
  const rival = () => alone(sharedBrokerUrl(), name, async () => 'both');
  const only = await alone(sharedBrokerUrl(), name, async () => {
    await expect(rival()).rejects.toThrow(NotAloneError);
    return 'one';
  });
  expect(only).toBe('one');
  expect(await rival()).toBe('both');
});
