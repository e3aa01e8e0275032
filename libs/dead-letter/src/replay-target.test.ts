import { defineJob } from '@warren/contracts';
import { buildTopology } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findTarget } from './replay-target.ts';

const mail = defineJob({ type: 'mail.send', schema: z.object({}), lanes: true });
const jobs = [mail];
const topology = buildTopology({ namespace: 'shop', jobTypes: jobs, history: {} });

describe('findTarget', () => {
  it.each([
    ['mail.send', 'shop.mail.send'],
    ['shop.mail.send', 'shop.mail.send'],
    ['mail.send.high', 'shop.mail.send.high'],
    ['mail.send.suspect', 'shop.mail.send.suspect'],
  ])('finds %s, its job type, and where what fails there ends', (name, queue) => {
    expect(findTarget(name, topology, jobs)).toEqual({
      queue,
      exchange: 'shop.jobs.due',
      job: mail,
      isGuess: false,
      dead: { queue: 'shop.mail.send.dead', workQueue: 'shop.mail.send' },
    });
  });

  it('takes a queue that it does not know by the name alone, which the broker answers for', () => {
    expect(findTarget('audit', topology, jobs)).toEqual({
      queue: 'shop.audit',
      exchange: '',
      job: undefined,
      isGuess: true,
      dead: { queue: 'shop.audit.dead', workQueue: 'shop.audit' },
    });
  });

  it.each([
    ...['mail.send.dead', 'old.mail.dead', 'retry.1h', 'retry.7m', 'jobs.unroutable'],
    ...['jobs.history', 'shop.jobs.due', 'jobs', '', 'x'.repeat(256)],
  ])('refuses %s, from which no job is run', (name) => {
    expect(findTarget(name, topology, jobs)).toBeUndefined();
  });
});
