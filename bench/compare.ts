/** One of the two sides of a comparison. */
export interface Contestant {
  readonly name: string;
  /** One round: does the work and returns its figure, in the scenario's unit. */
  run(): Promise<number>;
}

/** Two ways to do the same work. */
export interface Scenario {
  readonly name: string;
  readonly unit: 'jobs/s' | 'ms';
  readonly subject: Contestant;
  readonly against: Contestant;
  /** What the ratio subject / against must reach; for `ms` what the subject itself must stay below. */
  readonly target: number;
}

/** What a comparison showed. */
export interface Result {
  readonly scenario: string;
  readonly subject: string;
  readonly against: string;
  /** Median of the ratios of neighbouring rounds: the machine's ups and downs touch both alike. */
  readonly ratio: number;
  readonly ratioMin: number;
  readonly ratioMax: number;
  readonly subjectMedian: number;
  readonly againstMedian: number;
  readonly unit: string;
  readonly target: number;
}

/** Runs both sides in turn; who begins alternates, and one round of each is not counted. */
export async function compare(
  scenario: Scenario,
  rounds: number,
  onRound: () => void,
): Promise<Result> {
  const { subject, against } = scenario;
  await subject.run();
  await against.run();
  const figures: { subject: number; against: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const figure = { subject: 0, against: 0 };
    const order =
      round % 2 === 0 ? (['subject', 'against'] as const) : (['against', 'subject'] as const);
    for (const side of order) figure[side] = await scenario[side].run();
    figures.push(figure);
    onRound();
  }
  const ratios = figures.map((figure) => figure.subject / figure.against);
  return {
    scenario: scenario.name,
    subject: subject.name,
    against: against.name,
    ratio: round3(median(ratios)),
    ratioMin: round3(Math.min(...ratios)),
    ratioMax: round3(Math.max(...ratios)),
    subjectMedian: round3(median(figures.map((figure) => figure.subject))),
    againstMedian: round3(median(figures.map((figure) => figure.against))),
    unit: scenario.unit,
    target: scenario.target,
  };
}

/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0];
  return (low + high) / 2;
}

function round3(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
