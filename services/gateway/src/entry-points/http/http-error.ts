import { ConfigInvalidError, type ErrorCode } from '@warren/contracts';

/** One thing that is wrong with a request: where, and what. */
export interface FieldError {
  /** Dotted path from the root of the body, or `query.<name>`, or a header's name. */
  readonly field: string;
  readonly message: string;
}

/** What an HttpError may add to its status and message. */
export interface HttpErrorOptions {
  /** Default BAD_REQUEST. */
  readonly code?: ErrorCode;
  readonly errors?: readonly FieldError[];
  /** Response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that cannot be served as it is; becomes a problem document with this status. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, options: HttpErrorOptions = {}) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.code = options.code ?? 'BAD_REQUEST';
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
  }
}

/** Status 400 with one sentence made of all the field errors. */
export function badFields(errors: readonly FieldError[]): HttpError {
  const sentences = errors.slice(0, 5).map(({ field, message }) => `${field}: ${message}`);
  return new HttpError(400, sentences.join('; '), { errors });
}

/** What was found wrong with a field of the body, as a 400 that names it; any other error as it is. */
export function asFieldError(error: unknown): unknown {
  if (!(error instanceof ConfigInvalidError)) return error;
  const { setting, message } = error;
  return badFields([{ field: setting, message: message.slice(setting.length + 2) }]);
}
