/** Said of a document that unpacks to more than it may. */
export class DecodingBudgetError extends Error {}

/**
 * Bounds the bytes that all that runs in this thread may ask for, in all. A thread's own limits do not count them, and a
 * few kilobytes in a PDF can unpack to gigabytes. Once exceeded, `isExceeded` stays true: a reader may swallow the error.
 * @param {number} maxBytes
 */
export function boundDecoding(maxBytes) {
  const budget = { leftBytes: maxBytes, isExceeded: false };
  globalThis.Uint8Array = bounded(Uint8Array, budget);
  globalThis.Uint8ClampedArray = bounded(Uint8ClampedArray, budget);
  // It would unpack beside this budget; without it, pdf.js unpacks by itself.
  globalThis.DecompressionStream = undefined;
  return budget;
}

function bounded(ArrayType, budget) {
  return new Proxy(ArrayType, {
    construct(target, args, newTarget) {
      if (typeof args[0] === 'number') budget.leftBytes -= args[0];
      if (budget.leftBytes < 0) {
        budget.isExceeded = true;
        throw new DecodingBudgetError('unpacks to too many bytes');
      }
      return Reflect.construct(target, args, newTarget);
    },
  });
}
