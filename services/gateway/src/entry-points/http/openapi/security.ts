import type { GuardOptions } from '../auth/guard.ts';
import { accessOf } from '../auth/route-access.ts';
import type { Described, Route, RouteErrors } from '../route.ts';

/** What callers of the API prove who they are with, as the document declares it. */
export const SECURITY_SCHEMES: Described = {
  ApiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key that `warren keys new` made: `Authorization: Bearer warren_…`. Its scopes are `publish`, `read` and `admin`, which includes the other two. A gateway without keys asks for none.',
  },
};

/** What the document says of one operation because of who may use it. */
export interface OperationSecurity {
  readonly security: readonly Described[];
  readonly note?: string;
  readonly errors: RouteErrors;
}

/** Whether keys are needed, and which scope; and how a request without it is answered. */
export function securityOf(route: Route, { keys, keyRate }: GuardOptions): OperationSecurity {
  const access = accessOf(route);
  if (access === 'open') return { security: [], errors: {} };
  const note = `Scope: \`${access}\`.`;
  // The empty one says that it goes without, too.
  if (!keys) return { security: [{ ApiKey: [access] }, {}], note, errors: {} };
  return {
    security: [{ ApiKey: [access] }],
    note,
    errors: {
      401: ['UNAUTHENTICATED'],
      403: ['SCOPE_MISSING'],
      ...(keyRate && { 429: ['RATE_LIMITED'] }),
    },
  };
}
