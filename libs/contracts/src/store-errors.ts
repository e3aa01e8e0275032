import { WarrenError } from './errors.ts';

/** The store did not answer, or not in time: what was asked may or may not have been done. */
export class StoreUnavailableError extends WarrenError {
  constructor(detail: string, options?: { cause?: unknown }) {
    super('STORE_UNAVAILABLE', `the store does not answer: ${detail}`, options);
  }
}

/** The store has a version that this code does not know. Nothing was read or changed. */
export class StoreTooNewError extends WarrenError {
  constructor(schema: string, found: number, known: number) {
    super(
      'STORE_TOO_NEW',
      `the store in schema ${schema} has version ${found}, this code knows ${known}`,
    );
  }
}

/** A cursor that was not given out for this list. */
export class CursorInvalidError extends WarrenError {
  constructor(problem: string) {
    super('CURSOR_INVALID', `cursor: ${problem}`);
  }
}

/** An option that cannot be kept without the store; `option` names it. Nothing was published. */
export class OptionNeedsStoreError extends WarrenError {
  readonly option: string;

  constructor(option: string, detail = 'needs the store, which only a gateway with one has') {
    super('OPTION_NEEDS_STORE', `${option}: ${detail}`);
    this.option = option;
  }
}
