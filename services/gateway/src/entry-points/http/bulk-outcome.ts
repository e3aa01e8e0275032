import type { BulkOutcome } from '../../domain/bulk-run.ts';
import { type ProblemDocument, problemOf } from './problem-of.ts';

/** What an answer says of an item that was not taken: a problem document's members that do not speak of HTTP. */
export type ItemError = Pick<ProblemDocument, 'code' | 'title' | 'detail' | 'errors' | 'id'>;

/** How an answer tells what became of one item. */
export type ItemResult =
  | {
      readonly index: number;
      readonly id: string;
      readonly duplicate?: true;
      readonly replaced?: true;
    }
  | { readonly index: number; readonly error: ItemError };

/** Counts outcomes and puts them into words. */
export class OutcomeTeller {
  readonly #onUnforeseen: (error: unknown) => void;
  #accepted = 0;
  #rejected = 0;
  #unknown = 0;

  /** @param onUnforeseen told of what callers learn nothing about */
  constructor(onUnforeseen: (error: unknown) => void) {
    this.#onUnforeseen = onUnforeseen;
  }

  tell({ index, id, error, duplicate, replaced }: BulkOutcome): ItemResult {
    if (error !== undefined) {
      this.#rejected += 1;
      const told = this.errorOf(error, id);
      if (told.code === 'PUBLISH_TIMEOUT') this.#unknown += 1;
      return { index, error: told };
    }
    this.#accepted += 1;
    const taken = { index, id: String(id) };
    return duplicate ? { ...taken, duplicate, ...(replaced && { replaced }) } : taken;
  }

  errorOf(error: unknown, id?: string): ItemError {
    const { type: _type, status: _status, ...told } = problemOf(error, id).document;
    if (told.code === 'INTERNAL') this.#onUnforeseen(error);
    return told;
  }

  /** How many were taken, and how many were not. */
  get counts(): { readonly accepted: number; readonly rejected: number } {
    return { accepted: this.#accepted, rejected: this.#rejected };
  }

  /** No job was taken, and of none is it unknown. */
  get isNothingPublished(): boolean {
    return this.#accepted + this.#unknown === 0;
  }
}
