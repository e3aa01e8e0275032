import { operatorAccess } from '../access/needed-access.ts';
import type { DoctorFacts } from './facts.ts';
import { examined, type Finding, findings, listed, type Trouble } from './finding.ts';

/** Do bindings lead where they should, and at the front door nowhere else? */
export function checkBindings({ bindings }: DoctorFacts): Finding[] {
  return examined('bindings', bindings, (found) => {
    const missing = found.filter(({ kind }) => kind === 'missing');
    const foreign = found.filter(({ kind }) => kind === 'foreign');
    const troubles: Trouble[] = [];
    if (missing.length > 0) {
      const names = missing.map(({ exchange, queue }) => `${exchange} -> ${queue}`);
      troubles.push({
        result: 'problem',
        finding: `${missing.length} missing: ${listed(names)}`,
        advice: 'warren topology apply',
      });
    }
    for (const { exchange, queue, routingKey } of foreign) {
      troubles.push({
        result: 'problem',
        finding: `${queue} is bound to ${exchange} by ${JSON.stringify(routingKey)}: a job without a queue looks accepted behind it`,
        advice: `unbind it (management console, exchange ${exchange}); who wants to read along binds to ${exchange.replace(/jobs$/, 'events')}`,
      });
    }
    return findings('bindings', troubles, 'as they should be');
  });
}

/** May the user of this command do what operators do with it? */
export function checkPermissions({ permissions, topology, username }: DoctorFacts): Finding[] {
  const check = 'permissions';
  return examined(check, permissions, (own) => {
    if (!own) {
      return [{ check, result: 'problem', finding: `${username} has none for this virtual host` }];
    }
    const needed = operatorAccess(topology);
    const troubles = (['configure', 'write', 'read'] as const).flatMap((kind): Trouble[] => {
      const refused = needed[kind].filter((name) => !isPermitted(own[kind], name));
      if (refused.length === 0) return [];
      return [
        {
          result: 'warning',
          finding: `${username} may not ${kind} ${listed(refused)}`,
          advice: 'warren setup prints what each user needs',
        },
      ];
    });
    return findings(check, troubles, `${username} may do whatever this command does`);
  });
}

/** As the broker tests it. What it understands and this machine does not, is taken for permitted. */
function isPermitted(pattern: string, name: string): boolean {
  // An empty expression stands for nothing, there as `^$`.
  if (pattern === '') return false;
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return true;
  }
}
