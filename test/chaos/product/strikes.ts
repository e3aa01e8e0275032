/** What is killed. */
export const TARGETS = ['gateway', 'worker', 'tracker', 'broker'] as const;
export type Target = (typeof TARGETS)[number];

/** Kills at one moment. */
export interface Strike {
  readonly targets: readonly Target[];
  /** Nothing is killed for so long before. */
  readonly quietMs: number;
  /** How long they stay away. */
  readonly downMs: number;
}

const QUIET_MS = { min: 200, max: 1_500 };
const MAX_DOWN_MS = 1_500;
const TWO_AT_ONCE = 0.3;

/** Strikes without end: each round every target once, in random order, now and then two at once. */
export function* strikes(random: () => number): Generator<Strike, never> {
  for (;;) {
    const left: Target[] = [...TARGETS];
    const draw = () => left.splice(Math.floor(random() * left.length), 1);
    while (left.length > 0) {
      const targets = draw();
      if (random() < TWO_AT_ONCE) targets.push(...draw());
      const quietMs = Math.round(QUIET_MS.min + random() * (QUIET_MS.max - QUIET_MS.min));
      yield { targets, quietMs, downMs: Math.round(random() * MAX_DOWN_MS) };
    }
  }
}
