import { HEADERS } from '@warren/contracts';
import { anyJob } from '@warren/testing';
import { buildTopology } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import { enteredNow } from './late-entry.ts';
import { toJobMessage } from './outgoing-job.ts';

const { names } = buildTopology({ namespace: 'n', jobTypes: [], history: {} });
const job = { ...anyJob('mail.run'), lanes: true };

async function kept(options: object) {
  const message = await toJobMessage({ service: 's', names }, job, {}, options);
  const dueMs = Number(message.properties.headers?.[HEADERS.notBefore]);
  const after = (ms: number) => enteredNow(names, message, dueMs + ms);
  return { message, dueMs, after };
}

describe('a message that is sent later than it was made', () => {
  it('goes the way that was planned as long as that is in time', async () => {
    const { message, after } = await kept({ delay: '10s' });
    expect(message.exchange).toBe('n.retry.10s');
    expect([after(-10_000), after(-9_600)]).toEqual([message, message]);
    const { message: now } = await kept({});
    expect(enteredNow(names, now, Date.now() + 3_600_000)).toBe(now);
  });

  it('waits for the rest of its delay only', async () => {
    const { message, after } = await kept({ delay: '10s', lane: 'high' });
    const rest = after(-3_000);
    expect(rest).toMatchObject({
      exchange: 'n.retry.2s',
      routingKey: 'n.mail.run.high',
      properties: { expiration: '2000', headers: message.properties.headers },
    });
  });

  it('goes into its queue when its time has come', async () => {
    for (const [lane, key] of [
      ['normal', 'mail.run'],
      ['low', 'mail.run.low'],
    ] as const) {
      const { after } = await kept({ delay: '10s', lane });
      const due = after(5_000);
      expect(due).toMatchObject({ exchange: 'n.jobs', routingKey: key });
      expect(due.properties).not.toHaveProperty('expiration');
    }
  });
});
