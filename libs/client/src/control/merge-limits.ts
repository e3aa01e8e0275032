import {
  type ControlSnapshot,
  type JobDefinition,
  type LimitRate,
  type LimitRule,
  resolveLimitRate,
} from '@warren/contracts';
import type { LimitInWorker, LimitNews } from '@warren/history';

/** So many starts in so long a time, with what `burst` is when it is left out. */
export type LimitRateReading = Required<LimitRate>;

/** One way in which a limit is defined; where there are several, processes run versions that differ. */
export interface LimitDefinition {
  readonly rule: LimitRateReading;
  readonly source: 'code' | 'environment';
  /** Which setting, where it is the environment. */
  readonly setting?: string | undefined;
  /** So many workers have it. */
  readonly workers: number;
}

/** One limit as operators see it. */
export interface LimitReading<Use> {
  readonly name: string;
  /** Undefined for what is only known by name: no worker tells of it, and no job type defines it. */
  readonly scope?: 'global' | 'process' | undefined;
  readonly queues: readonly string[];
  /** By what it tells jobs apart; undefined for one limit for all. */
  readonly by?: string | undefined;
  /** Some keys have rates of their own, unless an operator has set one. */
  readonly ownRates: boolean;
  /** What is valid; undefined for what is only known by name. */
  readonly rule?: LimitRateReading | undefined;
  readonly source?: 'code' | 'environment' | 'operator' | undefined;
  /** What is valid without an operator, the most common one first. */
  readonly definitions: readonly LimitDefinition[];
  /** Undefined where nothing is counted of it. */
  readonly use?: Use | undefined;
}

/** All that is known of limits, by whom. */
export interface LimitSources<Use> {
  readonly told: readonly LimitInWorker[];
  /** Job types of the installation. */
  readonly jobTypes: readonly Pick<JobDefinition, 'type' | 'limit'>[];
  readonly control: ControlSnapshot;
  readonly uses: readonly Use[];
}

type Known = LimitNews & { readonly worker?: string };

/** Every limit that workers tell of, job types define, operators have set, or the store has counted for, by name. */
export function mergeLimits<Use extends { readonly name: string }>({
  told,
  jobTypes,
  control,
  uses,
}: LimitSources<Use>): readonly LimitReading<Use>[] {
  const byName = new Map<string, Known[]>();
  for (const one of [...told, ...jobTypes.flatMap(limitOf)]) {
    byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  }
  const { limits: overrides = {} } = control;
  const names = new Set([
    ...byName.keys(),
    ...Object.keys(overrides),
    ...uses.map(({ name }) => name),
  ]);
  return [...names].sort().map((name) => {
    const override = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
    const use = uses.find((one) => one.name === name);
    return readingOf(name, byName.get(name) ?? [], { override, use });
  });
}

function readingOf<Use>(
  name: string,
  known: readonly Known[],
  { override, use }: { override: LimitRate | undefined; use: Use | undefined },
): LimitReading<Use> {
  const definitions = definitionsOf(known);
  const [usual] = definitions;
  const rule = override ? readRate(override) : usual?.rule;
  const [first] = known;
  return {
    name,
    ...(first && { scope: first.scope }),
    queues: [...new Set(known.flatMap(({ queues }) => queues))].sort(),
    ...(first?.by !== undefined && { by: first.by }),
    ownRates: known.some(({ ownRates }) => ownRates),
    ...(rule && { rule, source: override ? 'operator' : usual?.source }),
    definitions,
    ...(use && { use }),
  };
}

/** What workers say goes before what the code of whoever asks says: theirs is what runs. */
function definitionsOf(known: readonly Known[]): readonly LimitDefinition[] {
  const running = known.filter(({ worker }) => worker !== undefined);
  const byRule = new Map<string, LimitDefinition>();
  for (const { rate, per, burst, setting, worker } of running.length > 0 ? running : known) {
    const rule = { rate, per, burst };
    const id = JSON.stringify([rule, setting]);
    const source = setting === undefined ? ('code' as const) : ('environment' as const);
    const workers = (byRule.get(id)?.workers ?? 0) + (worker === undefined ? 0 : 1);
    byRule.set(id, { rule, source, ...(setting !== undefined && { setting }), workers });
  }
  return [...byRule.values()].sort((a, b) => b.workers - a.workers);
}

function limitOf({ type, limit }: Pick<JobDefinition, 'type' | 'limit'>): Known[] {
  if (!limit) return [];
  const { rate, per, by, rates, scope = 'global', name = type } = limit;
  const { burst } = ruleOf(limit);
  return [
    {
      name,
      scope,
      queues: [type],
      rate,
      per,
      burst,
      ...(by !== undefined && { by }),
      ...(rates && Object.keys(rates).length > 0 && { ownRates: true }),
    },
  ];
}

function readRate(rate: LimitRate): LimitRateReading {
  return { rate: rate.rate, per: rate.per, burst: ruleOf(rate).burst };
}

function ruleOf({ rate, per, burst }: LimitRate): LimitRule {
  return resolveLimitRate({ rate, per, burst }, 'limit');
}
