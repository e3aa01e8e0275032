import { sendEmail } from '@warren/catalog';
import {
  BrokerUnavailableError,
  NonRetryableError,
  PayloadInvalidError,
  SnoozeError,
} from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import type { EmailPayload } from './compose-mail.ts';
import { type BulkPublisher, publishAll } from './publish-all.ts';

const OUTAGE = new BrokerUnavailableError('down');
const mails = (count: number): EmailPayload[] =>
  Array.from({ length: count }, (_, index) => ({
    to: `reader${index}@example.org`,
    subject: 'Hi',
    text: '',
  }));

/** A client that fails as `failureOf` says; keeps the ids that it was asked to publish. */
function scripted(failureOf: (id: string, time: number) => Error | undefined) {
  const asked: string[] = [];
  const jobs = {
    async *publishMany(_: unknown, payloads: Iterable<EmailPayload>, { options }: Options) {
      let index = 0;
      for (const payload of payloads) {
        const { id } = options(payload, index);
        asked.push(id);
        const error = failureOf(id, asked.filter((one) => one === id).length);
        yield error ? { index, error } : { index, id };
        index += 1;
      }
    },
  } as unknown as BulkPublisher;
  return { jobs, asked };
}

interface Options {
  readonly options: (payload: EmailPayload, index: number) => { id: string };
}

const publish = (jobs: BulkPublisher, signal = new AbortController().signal) =>
  publishAll(mails(4), {
    jobs,
    definition: sendEmail,
    idOf: ({ to }) => to,
    correlationId: 'c',
    window: 10,
    signal,
  });
const idOf = (index: number) => `reader${index}@example.org`;

describe('publishAll', () => {
  it('publishes everything once where nothing fails', async () => {
    const { jobs, asked } = scripted(() => undefined);
    await publish(jobs);
    expect(asked).toEqual([0, 1, 2, 3].map(idOf));
  });

  it('repeats only what failed, under the same ids', async () => {
    const { jobs, asked } = scripted((id, time) =>
      id === idOf(2) && time < 3 ? OUTAGE : undefined,
    );
    await publish(jobs);
    expect(asked).toEqual([0, 1, 2, 3, 2, 2].map(idOf));
  });

  it('puts the job off, no attempt spent, where the broker stays away', async () => {
    const { jobs, asked } = scripted(() => OUTAGE);
    await expect(publish(jobs)).rejects.toThrow(SnoozeError);
    expect(asked).toHaveLength(12);
    await expect(publish(jobs)).rejects.toThrow(
      '4 email.send could not be published: BROKER_UNAVAILABLE',
    );
  });

  it('gives the job up at once where a payload is at fault', async () => {
    const wrong = new PayloadInvalidError('email.send', [{ path: 'to', message: 'wrong' }]);
    const { jobs, asked } = scripted((id) => (id === idOf(1) ? wrong : OUTAGE));
    await expect(publish(jobs)).rejects.toThrow(NonRetryableError);
    expect(asked).toHaveLength(4);
  });

  it('fails with what is unforeseen', async () => {
    const error = new TypeError('unforeseen');
    await expect(publish(scripted(() => error).jobs)).rejects.toBe(error);
  });

  it('ends when it is aborted', async () => {
    const aborter = new AbortController();
    const { jobs, asked } = scripted((id) => {
      if (id === idOf(1)) aborter.abort(new Error('time is up'));
      return undefined;
    });
    await expect(publish(jobs, aborter.signal)).rejects.toThrow('time is up');
    expect(asked).toHaveLength(2);
  });
});
