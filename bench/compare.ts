import { median, round3 } from './stats.ts';
import { type Target, verdictOf } from './target.ts';

/** What one round of a contestant showed, by key. */
export type Figures = Readonly<Record<string, number>>;

/** One of the sides of a comparison. */
export interface Contestant {
  readonly name: string;
  /** What it was set to, and when it calls a job safe; for the report. */
  readonly notes?: readonly string[];
  /** One round: does the work and returns its figures. */
  run(): Promise<Figures>;
}

/** One figure that every contestant of a scenario returns. */
export interface FigureSpec {
  readonly unit: string;
  /** Follows the scenario's name; for scenarios that show several. */
  readonly label?: string;
}

/** Two contestants to be set against each other, by name. */
export interface Pair {
  readonly subject: string;
  readonly against: string;
  /** Instead of the scenario's name. */
  readonly scenario?: string;
  /** What the subject must reach, by figure. */
  readonly targets?: Readonly<Record<string, Target>>;
}

/** Several ways to do the same work. */
export interface Scenario {
  readonly name: string;
  readonly figures: Readonly<Record<string, FigureSpec>>;
  readonly contestants: readonly Contestant[];
  readonly pairs: readonly Pair[];
  /** No more rounds than so many, however many are asked for: where the spread is small, or a round takes minutes. */
  readonly maxRounds?: number;
  /** Removes what its rounds have left for each other; called once they are over, whatever became of them. */
  end?(): Promise<void>;
}

/** What a comparison showed. */
export interface Result {
  readonly scenario: string;
  /** The name of the scenario that showed it, which `--only` takes. */
  readonly only: string;
  readonly subject: string;
  readonly against: string;
  /** Median of the ratios of the same round: the machine's ups and downs touch both alike. */
  readonly ratio: number;
  readonly ratioMin: number;
  readonly ratioMax: number;
  readonly subjectMedian: number;
  readonly againstMedian: number;
  readonly unit: string;
  /** In words; absent where nothing is promised. */
  readonly target?: string;
  readonly isMet?: boolean;
}

/** Runs all sides in turn; who begins changes from round to round, and one round of each is not counted. */
export async function compare(
  scenario: Scenario,
  rounds: number,
  onRound: () => void,
): Promise<Result[]> {
  try {
    const shown = await runRounds(scenario, roundsOf(scenario, rounds), onRound);
    return scenario.pairs.flatMap((pair) =>
      Object.keys(scenario.figures).map((key) => resultOf(scenario, pair, key, shown)),
    );
  } finally {
    await scenario.end?.();
  }
}

/** How often each side of a scenario runs where so many rounds are asked for. */
export function roundsOf({ maxRounds }: Scenario, rounds: number): number {
  return Math.min(maxRounds ?? rounds, rounds);
}

type Shown = ReadonlyMap<string, readonly Figures[]>;

/** The figures of each contestant, round by round. */
async function runRounds(
  { contestants }: Scenario,
  rounds: number,
  onRound: () => void,
): Promise<Shown> {
  for (const contestant of contestants) await contestant.run();
  const shown = new Map<string, Figures[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % contestants.length;
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      shown.get(contestant.name)?.push(await contestant.run());
    }
    onRound();
  }
  return shown;
}

function resultOf(scenario: Scenario, pair: Pair, key: string, shown: Shown): Result {
  const { unit, label } = scenario.figures[key] ?? { unit: '' };
  const of = (name: string) => (shown.get(name) ?? []).map((figures) => figures[key] ?? Number.NaN);
  const [subject, against] = [of(pair.subject), of(pair.against)];
  const ratios = subject.map((figure, round) => figure / (against[round] ?? Number.NaN));
  const figures = { ratio: round3(median(ratios)), subjectMedian: round3(median(subject)) };
  const target = pair.targets?.[key];
  return {
    scenario: [pair.scenario ?? scenario.name, label].filter(Boolean).join(', '),
    only: scenario.name,
    subject: pair.subject,
    against: pair.against,
    ...figures,
    ratioMin: round3(Math.min(...ratios)),
    ratioMax: round3(Math.max(...ratios)),
    againstMedian: round3(median(against)),
    unit,
    ...(target && verdictOf(target, unit, figures)),
  };
}
