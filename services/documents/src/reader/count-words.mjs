const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * Words of a text by the rules of Unicode, so that languages that are written without spaces have words too. Numbers count.
 * @param {string} text
 * @returns {number}
 */
export function countWords(text) {
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words += 1;
  return words;
}
