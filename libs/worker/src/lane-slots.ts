import type { Lane } from '@warren/contracts';
import { LaneSchedule, type LaneWeights } from './lane-schedule.ts';
import type { StartsWork } from './slots.ts';
import { type Line, WaitingLine } from './waiting-line.ts';

/** What starts the work of one lane. */
export interface LaneWork<Item> {
  /** Resolves when its slot is free again; it must not reject. */
  start(item: Item): Promise<void>;
  /** Slots that are held by what was given up. */
  abandoned(): number;
  /** Where its items wait; by default first come, first served. */
  readonly line?: Line<Item> | undefined;
}

interface JoinedLane<Item> extends LaneWork<Item> {
  readonly line: Line<Item>;
}

/** One set of slots for the lanes of a job type: a free one goes to whose turn it is among those with work. */
export class LaneSlots<Item> {
  #limit: number;
  readonly #schedule: LaneSchedule;
  readonly #lanes = new Map<Lane, JoinedLane<Item>>();
  #busy = 0;

  constructor(limit: number, weights?: LaneWeights) {
    this.#limit = limit;
    this.#schedule = new LaneSchedule(weights);
  }

  /** Those of all lanes. */
  get abandoned(): number {
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.abandoned(), 0);
  }

  /** One lane's way to the slots. */
  join(lane: Lane, work: LaneWork<Item>): StartsWork<Item> {
    const line = work.line ?? new WaitingLine<Item>();
    this.#lanes.set(lane, { ...work, line });
    const fill = () => this.#fill();
    const limit = () => this.#limit;
    const busy = () => this.#busy;
    return {
      // Of all lanes together, both.
      get limit() {
        return limit();
      },
      get busy() {
        return busy();
      },
      resize: (next) => {
        this.#limit = next;
        fill();
      },
      get waiting() {
        return line.count;
      },
      add(item) {
        line.add(item);
        fill();
      },
      fill,
      remove: (test) => line.remove(test),
    };
  }

  #fill(): void {
    while (this.#busy < this.#limit) {
      const lane = this.#schedule.next((one) => this.#lanes.get(one)?.line.hasNext ?? false);
      const joined = lane && this.#lanes.get(lane);
      const item = joined?.line.next();
      if (!joined || item === undefined) return;
      this.#busy += 1;
      void joined.start(item).then(() => {
        this.#busy -= 1;
        this.#fill();
      });
    }
  }
}
