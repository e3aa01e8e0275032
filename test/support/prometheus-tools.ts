import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { findProgram, type ProgramPackage } from './debian-programs.ts';

const PROMETHEUS = { name: 'prometheus' };
/** Debian's build has its templates in a folder; that of Prometheus' makers has them in the program. */
const ALERTMANAGER = {
  name: 'prometheus-alertmanager',
  data: '/usr/share/prometheus/alertmanager',
};

/** The paths of the two programs. */
export interface PrometheusTools {
  readonly prometheus: string;
  readonly promtool: string;
}

/** Prometheus and promtool from PATH or from the cache; `undefined` where one is missing. */
export function prometheusTools(): PrometheusTools | undefined {
  const prometheus = findProgram(['prometheus'], PROMETHEUS.name);
  const promtool = findProgram(['promtool'], PROMETHEUS.name);
  return prometheus && promtool ? { prometheus, promtool } : undefined;
}

/** The path of Alertmanager, by its own name or Debian's; `undefined` where it, or what it needs, is missing. */
export function alertmanagerProgram(): string | undefined {
  const { name, data } = ALERTMANAGER;
  const found = findProgram(['alertmanager', name], name);
  const isWhole = found !== undefined && (basename(found) !== name || existsSync(data));
  return isWhole ? found : undefined;
}

/** The packages whose programs are missing here. `fetchPrograms` gets them. */
export const missingMonitoring = (): readonly ProgramPackage[] => [
  ...(prometheusTools() ? [] : [PROMETHEUS]),
  ...(alertmanagerProgram() ? [] : [ALERTMANAGER]),
];
