import { checkBindings, checkPermissions } from './access-checks.ts';
import {
  checkBroker,
  checkConsumers,
  checkDeadLetters,
  checkTopology,
  checkUnroutable,
} from './broker-checks.ts';
import {
  checkFiles,
  checkFlags,
  checkMembers,
  checkNodes,
  checkPlugins,
} from './cluster-checks.ts';
import type { DoctorFacts } from './facts.ts';
import type { Finding } from './finding.ts';
import { checkLeaving } from './leaving-checks.ts';
import { checkPolicies } from './policy-checks.ts';
import { checkProduction } from './production-checks.ts';
import { checkConsumerTimeout } from './timeout-checks.ts';

const CHECKS: readonly ((facts: DoctorFacts) => Finding[])[] = [
  checkBroker,
  checkTopology,
  checkBindings,
  checkConsumers,
  checkDeadLetters,
  checkLeaving,
  checkUnroutable,
  checkPolicies,
  checkConsumerTimeout,
  checkPermissions,
  checkMembers,
  checkNodes,
  checkFiles,
  checkFlags,
  checkPlugins,
];

/** What is to be said of an installation: every check, in a fixed order, with one finding or more. Pure. */
export function examine(
  facts: DoctorFacts,
  { production = false }: { readonly production?: boolean | undefined } = {},
): Finding[] {
  const checks = production ? [...CHECKS, checkProduction] : CHECKS;
  return checks.flatMap((check) => check(facts));
}
