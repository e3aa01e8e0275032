import { ConfigInvalidError } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { anyPayload } from './any-payload.fixture.ts';
import { checkRegistrations } from './check-registrations.ts';
import { type HandleOptions, handle } from './handle.ts';

const check = (options: HandleOptions = {}, definition = anyPayload()) =>
  checkRegistrations([handle(definition, () => {}, options)], {});

function refusal(run: () => void): ConfigInvalidError {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigInvalidError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('checkRegistrations', () => {
  it.each([{}, { concurrency: 1 }, { concurrency: undefined, prefetch: 65_535 }])(
    'takes %j',
    (options) => {
      expect(() => check(options)).not.toThrow();
    },
  );

  it('refuses a worker without handlers', () => {
    expect(refusal(() => checkRegistrations([], {})).setting).toBe('handlers');
  });

  it.each(['concurrency', 'prefetch'])('refuses a wrong %s, naming job type and option', (name) => {
    for (const value of [0, -1, 1.5, 65_536, Number.NaN, '5', null]) {
      const error = refusal(() => check({ [name]: value } as unknown as HandleOptions));
      expect(error.message).toContain('job report.render');
      expect(error.message).toContain(`${name} must be a whole number`);
    }
  });

  it('takes a concurrency that is to be found out, and names what is wrong with one', () => {
    const adaptive = { max: 20, latency: '1s' } as const;
    expect(() => check({ concurrency: adaptive, prefetch: 20 })).not.toThrow();
    const long = { ...anyPayload(), long: true };
    const leases = {};
    const checkLong = () =>
      checkRegistrations([handle(long, () => {}, { concurrency: adaptive })], { leases });
    expect(refusal(checkLong).setting).toBe('job report.render: concurrency');
    for (const [options, setting] of [
      [{ concurrency: { max: 0, latency: '1s' } }, 'concurrency.max'],
      [{ concurrency: { max: 20, latency: 'soon' } }, 'concurrency.latency'],
      [{ concurrency: adaptive, prefetch: 19 }, 'prefetch'],
    ] as const) {
      const error = refusal(() => check(options as HandleOptions));
      expect(error.setting).toBe(`job report.render: ${setting}`);
    }
  });

  it('refuses an unknown option by name', () => {
    const error = refusal(() => check({ concurency: 5 } as HandleOptions));
    expect(error.message).toContain('unknown handler option concurency');
  });

  it('takes weights of lanes where there are lanes, and names what is wrong with them', () => {
    const laned = { ...anyPayload(), lanes: true };
    expect(() => check({ laneWeights: { low: 3, high: 1_000 } }, laned)).not.toThrow();
    expect(refusal(() => check({ laneWeights: { low: 3 } })).message).toContain('`lanes: true`');
    for (const [weights, named] of [
      [{ low: 0 }, 'laneWeights.low'],
      [{ high: 1_001 }, 'laneWeights.high'],
      [{ normal: '3' }, 'laneWeights.normal'],
      [{ urgent: 3 }, 'urgent'],
    ] as const) {
      const options = { laneWeights: weights } as unknown as HandleOptions;
      expect(refusal(() => check(options, laned)).message).toContain(named);
    }
  });

  it('refuses a job that runs once only without claims', () => {
    const once = { ...anyPayload(), once: true };
    const registered = [handle(once, () => {})];
    expect(refusal(() => checkRegistrations(registered, {})).message).toBe(
      'job report.render: once needs the store: give its claims to createWorker as `claims`',
    );
    expect(() => checkRegistrations(registered, { claims: {} })).not.toThrow();
  });

  it('refuses a long job without leases, and a prefetch for it', () => {
    const long = { ...anyPayload(), long: true };
    const check = (options: HandleOptions, store: object) => () =>
      checkRegistrations([handle(long, () => {}, options)], store);
    expect(refusal(check({}, { claims: {} })).message).toBe(
      'job report.render: long needs the store: give its leases to createWorker as `leases`',
    );
    expect(refusal(check({ prefetch: 5 }, { leases: {} })).message).toContain(
      'prefetch does not go',
    );
    expect(check({}, { leases: {} })).not.toThrow();
  });
});
