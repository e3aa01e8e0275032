import { LANES, type Lane } from '@warren/contracts';

/** Of how many starts each lane gets how many, while all have work. */
export type LaneWeights = Readonly<Record<Lane, number>>;

export const DEFAULT_LANE_WEIGHTS: LaneWeights = Object.freeze({ high: 6, normal: 3, low: 1 });

/**
 * Says whose turn it is, by weight. While a lane has work, it gets at least its share of the starts, late by a few; the
 * share of one that has none goes to the others, and is not saved up. Pure: no clock, no chance.
 *
 * Each lane has a distance to its next turn, in whole steps, of which a start costs the more the smaller its weight is.
 */
export class LaneSchedule {
  readonly #cost: LaneWeights;
  readonly #distance: Record<Lane, number> = { high: 0, normal: 0, low: 0 };

  constructor({ high, normal, low }: LaneWeights = DEFAULT_LANE_WEIGHTS) {
    this.#cost = { high: normal * low, normal: high * low, low: high * normal };
  }

  /** The lane to start from; of two whose turn it is the more urgent. Undefined where none has work. */
  next(hasWork: (lane: Lane) => boolean): Lane | undefined {
    let chosen: Lane | undefined;
    for (const lane of LANES) {
      if (!hasWork(lane)) continue;
      if (chosen === undefined || this.#distance[lane] < this.#distance[chosen]) chosen = lane;
    }
    if (chosen !== undefined) this.#take(chosen);
    return chosen;
  }

  #take(chosen: Lane): void {
    const passed = this.#distance[chosen];
    // One without work comes no nearer than its turn: it shall not make up for it later.
    for (const lane of LANES) this.#distance[lane] = Math.max(0, this.#distance[lane] - passed);
    this.#distance[chosen] = this.#cost[chosen];
  }
}
