import {
  ConfigInvalidError,
  ERROR_CODES,
  type ErrorCode,
  HeaderInvalidError,
  OptionNeedsStoreError,
  PayloadInvalidError,
  PayloadTooLargeError,
  PublishTimeoutError,
  UnknownJobTypeError,
  WarrenError,
} from '@warren/contracts';
import { type FieldError, HttpError } from './http-error.ts';
import { boundedProblem } from './problem-bounds.ts';

/** An RFC 9457 problem document, with the error's stable code and the fields that are wrong. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly errors?: readonly FieldError[];
  /** The job's id, where it is unknown whether the job was taken: repeat with this id. */
  readonly id?: string;
}

/** A problem document and the response headers that go with it. */
export interface Problem {
  readonly document: ProblemDocument;
  readonly headers: Readonly<Record<string, string>>;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * The problem document for anything that was thrown. What is not a known error becomes INTERNAL without a word of its
 * message: that belongs in the log.
 * @param jobId the id of the job in question, if the request got that far
 */
export function problemOf(error: unknown, jobId?: string): Problem {
  if (error instanceof HttpError) {
    return problem(error.code, error.message, error);
  }
  if (error instanceof PublishTimeoutError && jobId !== undefined) {
    return problem(error.code, timeoutDetail(error, jobId), { extensions: { id: jobId } });
  }
  // The options of a request are all that can be wrong here: settings are checked at start.
  if (error instanceof ConfigInvalidError) {
    const message = error.message.slice(error.setting.length + ': '.length);
    const errors = [{ field: error.setting, message }];
    return problem('BAD_REQUEST', error.message, { errors });
  }
  if (error instanceof WarrenError) {
    return problem(error.code, error.message, { errors: fieldErrorsOf(error) });
  }
  return isClientError(error)
    ? problem('BAD_REQUEST', error.message, { status: error.status })
    : problem('INTERNAL', 'the request failed for a reason that is in the log of the gateway');
}

/** The URN that a problem document has as its `type`. */
export function problemType(code: ErrorCode): string {
  return `urn:warren:error:${code.toLowerCase().replaceAll('_', '-')}`;
}

interface ProblemParts {
  readonly status?: number;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly extensions?: { readonly id: string };
}

function problem(code: ErrorCode, detail: string, parts: ProblemParts = {}): Problem {
  const { headers, extensions } = parts;
  const bounded = boundedProblem(detail, parts.errors ?? []);
  const status = parts.status ?? ERROR_CODES[code].status;
  const document = {
    type: problemType(code),
    title: ERROR_CODES[code].title,
    status,
    detail: bounded.detail,
    code,
    ...(bounded.errors.length > 0 && { errors: bounded.errors }),
    ...extensions,
  };
  const retryAfter = status === 503 ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {};
  return { document, headers: { ...retryAfter, ...headers } };
}

function timeoutDetail(error: PublishTimeoutError, jobId: string): string {
  return `unknown, may be enqueued: ${error.message}. Repeat with id ${jobId}, so that a duplicate can be recognised`;
}

function fieldErrorsOf(error: WarrenError): FieldError[] {
  if (error instanceof PayloadInvalidError) {
    return error.issues.map(({ path, message }) => ({
      field: path ? `payload.${path}` : 'payload',
      message,
    }));
  }
  if (error instanceof UnknownJobTypeError) return [{ field: 'type', message: error.message }];
  if (error instanceof PayloadTooLargeError) return [{ field: 'payload', message: error.message }];
  if (error instanceof OptionNeedsStoreError) {
    return [{ field: error.option, message: error.message.slice(error.option.length + 2) }];
  }
  if (error instanceof HeaderInvalidError) {
    return [{ field: `headers.${error.header}`, message: error.message }];
  }
  return [];
}

/** Errors of express and its router say by `status` whose fault they are. */
function isClientError(error: unknown): error is Error & { status: number } {
  if (!(error instanceof Error) || !('status' in error)) return false;
  return typeof error.status === 'number' && error.status >= 400 && error.status < 500;
}
