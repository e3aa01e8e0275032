import { LANES, type Lane } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LaneSchedule, type LaneWeights } from './lane-schedule.ts';

const lane = fc.constantFrom(...LANES);
const weight = fc.integer({ min: 1, max: 1_000 });
const weights = fc.record({ high: weight, normal: weight, low: weight });
/** Which lanes have work, one turn after the other. */
const work = fc.array(fc.uniqueArray(lane, { minLength: 1 }), { maxLength: 200 });

function starts(schedule: LaneSchedule, turns: readonly (readonly Lane[])[]): (Lane | undefined)[] {
  return turns.map((lanes) => schedule.next((one) => lanes.includes(one)));
}
const countOf = (started: readonly (Lane | undefined)[], one: Lane) =>
  started.filter((each) => each === one).length;

describe('LaneSchedule', () => {
  it('gives lanes that always have work their weights exactly, round for round', () => {
    const schedule = new LaneSchedule();
    const round = () => starts(schedule, Array(10).fill(LANES));
    const first = round();
    expect(first).toEqual([
      ...['high', 'normal', 'low', 'high', 'high', 'normal', 'high', 'high', 'normal', 'high'],
    ]);
    for (let n = 0; n < 20; n += 1) round();
    const hundred = starts(schedule, Array(100).fill(LANES));
    expect(LANES.map((one) => countOf(hundred, one))).toEqual([60, 30, 10]);
  });

  it('starts something whenever there is something, and never from a lane without work', () => {
    fc.assert(
      fc.property(weights, work, (chosen, turns) => {
        const schedule = new LaneSchedule(chosen);
        for (const [at, started] of starts(schedule, turns).entries()) {
          expect(turns[at]).toContain(started);
        }
        expect(schedule.next(() => false)).toBeUndefined();
      }),
    );
  });

  it('gives a lane with work its share of any stretch, whatever came before and the others do', () => {
    fc.assert(
      fc.property(weights, lane, work, work, (chosen, one, before, turns) => {
        const schedule = new LaneSchedule(chosen);
        starts(schedule, before);
        const share = chosen[one] / sum(chosen, LANES);
        const started = starts(
          schedule,
          turns.map((lanes) => [...lanes, one]),
        );
        expect(countOf(started, one)).toBeGreaterThanOrEqual((turns.length - 1) * share - 1);
      }),
    );
  });

  it('shares out what an idle lane leaves by the weights of the others', () => {
    const scene = fc.record({ chosen: weights, idle: lane, before: work, count: fc.nat(500) });
    fc.assert(
      fc.property(scene, ({ chosen, idle, before, count }) => {
        const schedule = new LaneSchedule(chosen);
        starts(schedule, before);
        const busy = LANES.filter((one) => one !== idle);
        const started = starts(schedule, Array(count).fill(busy));
        for (const one of busy) {
          const share = chosen[one] / sum(chosen, busy);
          expect(countOf(started, one)).toBeGreaterThanOrEqual((count - 1) * share - 1);
        }
      }),
    );
  });

  it('does not save up the share of a lane that was idle', () => {
    const schedule = new LaneSchedule();
    starts(schedule, Array(1_000).fill(['high', 'normal']));
    expect(countOf(starts(schedule, Array(20).fill(LANES)), 'low')).toBeLessThanOrEqual(3);
  });
});

function sum(chosen: LaneWeights, lanes: readonly Lane[]): number {
  return lanes.reduce((all, one) => all + chosen[one], 0);
}
