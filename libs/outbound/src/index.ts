export { type AddressRule, anyAddress, publicAddresses } from './address-rule.ts';
export { ForbiddenAddressError, guardedLookup, type Resolve } from './guarded-lookup.ts';
export { KeptConnections, type KeptConnectionsOptions } from './kept-connections.ts';
export { Networks } from './networks.ts';
export { ConnectTimeoutError, type OpenAnswerOptions, openAnswer } from './open-answer.ts';
export { type TargetProblem, targetProblem } from './target-problem.ts';
