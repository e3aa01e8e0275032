import { ConfigInvalidError } from '@warren/contracts';
import type { Many } from './item-source.ts';
import type { PublishOptions } from './publish-options.ts';

/** How jobs of any types are published in bulk. */
export interface WindowOptions {
  /** Publishes in flight at once, up to 100,000. Default 1,000. */
  readonly window?: number | undefined;
}

/** How many jobs of one type are published. */
export interface BulkOptions<Payload> extends WindowOptions {
  /** Options of one item. What it throws is that item's error. */
  readonly options?: ((payload: Payload, index: number) => PublishOptions | undefined) | undefined;
}

/** One job of many, by the name of its type. */
export interface BulkItem {
  readonly type: string;
  readonly payload: unknown;
  readonly options?: PublishOptions | undefined;
}

const DEFAULT_WINDOW = 1_000;
const MAX_WINDOW = 100_000;

/**
 * Refuses at once what every item would suffer from. Returns the window.
 * @throws ConfigInvalidError naming `items`, `window`, `options` or an unknown option
 */
export function checkBulk(
  items: Many<unknown>,
  bulk: BulkOptions<never>,
  known: readonly (keyof BulkOptions<never>)[],
): number {
  if (!isIterable(items)) {
    throw new ConfigInvalidError('items', 'expected an iterable or async iterable object');
  }
  const { window = DEFAULT_WINDOW, options } = bulk;
  const unknown = Object.keys(bulk).find((name) => !(known as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new ConfigInvalidError(unknown, `unknown option (known: ${known.join(', ')})`);
  }
  if (!Number.isInteger(window) || window < 1 || window > MAX_WINDOW) {
    throw new ConfigInvalidError('window', `expected 1 to ${MAX_WINDOW}, got ${String(window)}`);
  }
  if (options !== undefined && typeof options !== 'function') {
    throw new ConfigInvalidError('options', "expected a function that gives an item's options");
  }
  return window;
}

/** A text is iterable too, but its letters are nobody's jobs. */
function isIterable(items: unknown): boolean {
  if (typeof items !== 'object' || items === null) return false;
  return Symbol.iterator in items || Symbol.asyncIterator in items;
}
