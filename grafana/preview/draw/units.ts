/** A number in parts: what is computed from it, and what stands behind. */
type Scale = (value: number) => readonly [scaled: number, suffix: string];

/** Takes the greatest step that is not above the value. */
const stepped = (base: number, suffixes: readonly string[], unit = ''): Scale => {
  return (value) => {
    const size = Math.abs(value);
    const power = size < base ? 0 : Math.floor(Math.log(size) / Math.log(base) + 1e-9);
    const step = Math.min(power, suffixes.length - 1);
    return [value / base ** step, `${suffixes[step] ?? ''}${unit}`];
  };
};

/** Lower ends of the steps, in seconds, the greatest first. */
const DURATIONS: readonly (readonly [seconds: number, suffix: string])[] = [
  [31_536_000, ' years'],
  [604_800, ' weeks'],
  [86_400, ' days'],
  [3_600, ' hours'],
  [60, ' mins'],
  [1, ' s'],
  [1e-3, ' ms'],
  [1e-6, ' µs'],
];

const duration: Scale = (value) => {
  if (value === 0) return [0, ' s'];
  const [seconds, suffix] = DURATIONS.find(([from]) => Math.abs(value) >= from) ?? [1e-9, ' ns'];
  return [value / seconds, suffix];
};

/** By Grafana's names. One that is not here stands behind the number as it is, as in Grafana. */
const UNITS: Readonly<Record<string, Scale>> = {
  none: (value) => [value, ''],
  short: stepped(1_000, ['', ' K', ' Mil', ' Bil', ' Tri']),
  ops: stepped(1_000, ['', 'K', 'M', 'B', 'T'], ' ops/s'),
  reqps: stepped(1_000, ['', 'K', 'M', 'B', 'T'], ' req/s'),
  bytes: stepped(1_024, [' B', ' KiB', ' MiB', ' GiB', ' TiB']),
  percentunit: (value) => [value * 100, '%'],
  s: duration,
};

/** A number as Grafana writes it in a unit, with as many decimals as tell it from its neighbours. */
export function formatValue(value: number, unit: string): string {
  if (unit === 'bool_on_off') return value === 0 ? 'Off' : 'On';
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞';
  const [scaled, suffix] = UNITS[unit]?.(value) ?? [value, ` ${unit}`];
  return `${Number(scaled.toFixed(decimalsFor(scaled)))}${suffix}`;
}

/** Three digits in all, or all of those before the point. */
function decimalsFor(value: number): number {
  if (Number.isInteger(value)) return 0;
  return Math.min(20, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
}
