import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigInvalidError } from './errors.ts';
import { cancelGraceOfStopMs, longestWaitMs, resolveTimes, type WorkerTimes } from './times.ts';

const job = (timeoutMs = 60_000, cancelGraceMs = 5_000) => ({
  type: 'report.render',
  timeoutMs,
  cancelGraceMs,
});

function refusal(run: () => void): ConfigInvalidError {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigInvalidError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('resolveTimes', () => {
  it('has defaults, with which the defaults of a job type agree', () => {
    expect(resolveTimes({}, [job()])).toEqual({
      publishTimeoutMs: 10_000,
      shutdownGraceMs: 20_000,
      consumerTimeoutMs: 1_800_000,
      claimLeaseMs: 30_000,
    });
  });

  it('lets a long job run for longer than the broker would leave a delivery out', () => {
    const long = { ...job(86_400_000), long: true };
    expect(() => resolveTimes({}, [long])).not.toThrow();
    expect(longestWaitMs(long, 1_800_000)).toBe(450_000);
  });

  it('refuses a timeout that the broker would cut, naming the job type and what to change', () => {
    expect(() => resolveTimes({}, [job(1_794_000)])).not.toThrow();
    expect(() => resolveTimes({}, [job(1_795_000, 4_000)])).not.toThrow();
    const { message } = refusal(() => resolveTimes({}, [job(), job(1_795_000)]));
    expect(message).toContain('job report.render: timeout plus cancelGrace (1800000 ms)');
    expect(message).toContain('consumerTimeoutMs');
    expect(() => resolveTimes({ consumerTimeoutMs: 3_600_000 }, [job(1_795_000)])).not.toThrow();
  });

  it('says what raises the time for the queues of that job type, and of no other', () => {
    const { message } = refusal(() => resolveTimes({}, [job(3_600_000)]));
    const [, pattern = '', definition = ''] =
      /set_policy '[^']+' '([^']+)' '([^']+)' --apply-to queues/.exec(message) ?? [];
    const raisedMs = (JSON.parse(definition) as Record<string, number>)['consumer-timeout'] ?? 0;
    expect(message).toContain(`consumer_timeout = ${raisedMs} in rabbitmq.conf`);
    expect(() => resolveTimes({ consumerTimeoutMs: raisedMs }, [job(3_600_000)])).not.toThrow();
    const queues = new RegExp(pattern);
    for (const queue of ['report.render', 'ns.report.render.high', 'report.render.suspect']) {
      expect(queue).toMatch(queues);
    }
    for (const queue of ['report.render.dead', 'reportxrender', 'report.render2', 'retry.1s']) {
      expect(queue).not.toMatch(queues);
    }
  });

  it('refuses a publish that takes as long as the broker waits for an ack', () => {
    const times = { publishTimeoutMs: 90_000, consumerTimeoutMs: 90_000 };
    expect(refusal(() => resolveTimes(times, [])).setting).toBe('publish.timeoutMs');
    expect(() => resolveTimes({ ...times, publishTimeoutMs: 89_999 }, [])).not.toThrow();
  });

  it.each<[keyof WorkerTimes, number[], number[]]>([
    ['claimLeaseMs', [500, 30_000], [499, 0.5, Number.NaN, 3_600_001]],
    ['shutdownGraceMs', [0, 100, 86_400_000], [-1, 0.5, Number.NaN, 86_400_001]],
    ['consumerTimeoutMs', [20_000, 31_536_000_000], [0, 999, Number.NaN, Number.POSITIVE_INFINITY]],
  ])('takes %s within its bounds', (name, right, wrong) => {
    for (const ms of right) expect(() => resolveTimes({ [name]: ms }, [])).not.toThrow();
    for (const ms of wrong) {
      expect(refusal(() => resolveTimes({ [name]: ms }, [])).setting).toBe(name);
    }
  });

  it('leaves time for the longest run of whatever it takes, after the longest wait in hand', () => {
    const times = fc.integer({ min: 1_000, max: 10_000_000 });
    const drawn = fc.record({ timeoutMs: times, cancelGraceMs: times, consumerTimeoutMs: times });
    fc.assert(
      fc.property(drawn, ({ timeoutMs, cancelGraceMs, consumerTimeoutMs }) => {
        const handler = job(timeoutMs, cancelGraceMs);
        const options = { consumerTimeoutMs, publishTimeoutMs: 1 };
        const isTaken = timeoutMs + cancelGraceMs < consumerTimeoutMs;
        if (!isTaken) return void refusal(() => resolveTimes(options, [handler]));
        resolveTimes(options, [handler]);
        const waitMs = longestWaitMs(handler, consumerTimeoutMs);
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs + timeoutMs + cancelGraceMs).toBeLessThan(consumerTimeoutMs);
      }),
    );
  });
});

it('gives handlers at least half of a stop before they are told to end', () => {
  expect(cancelGraceOfStopMs(job(1, 5_000), 20_000)).toBe(5_000);
  expect(cancelGraceOfStopMs(job(1, 5_000), 6_000)).toBe(3_000);
  expect(cancelGraceOfStopMs(job(1, 0), 6_000)).toBe(0);
});
