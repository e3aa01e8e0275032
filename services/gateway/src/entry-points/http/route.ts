import type { ErrorCode } from '@warren/contracts';
import type { Request, Response } from 'express';

/** One method of one path: what serves it, and what the OpenAPI document says of it. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** As express has it: `/docs/:file`. */
  readonly path: string;
  readonly handle: (request: Request, response: Response) => void | Promise<void>;
  readonly doc: RouteDoc;
}

/** An object of the OpenAPI document, as it is written there. */
export type Described = Readonly<Record<string, unknown>>;

/** What the OpenAPI document says of a route, in its words. */
export interface RouteDoc {
  readonly operationId: string;
  readonly tag:
    | 'jobs'
    | 'events'
    | 'queues'
    | 'breakers'
    | 'dead letters'
    | 'limits'
    | 'operation'
    | 'documentation';
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Described[];
  /** By media type. */
  readonly requestBody?: Described;
  /** Answers that are no problem documents, by status. */
  readonly responses: Readonly<Record<number, Described>>;
  /** The codes of the problem documents that it may answer, by status. */
  readonly errors: RouteErrors;
}

/** Error codes by HTTP status. */
export type RouteErrors = Readonly<Record<number, readonly ErrorCode[]>>;
