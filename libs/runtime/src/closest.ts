/** The candidate with the fewest edits from `word`, if there are at most `maxEdits`. */
export function closestTo(
  word: string,
  candidates: readonly string[],
  maxEdits: number,
): string | undefined {
  const [closest] = candidates
    .map((candidate) => ({ candidate, edits: editDistance(word, candidate) }))
    .filter(({ edits }) => edits <= maxEdits)
    .sort((a, b) => a.edits - b.edits);
  return closest?.candidate;
}

/** Levenshtein's distance, row by row. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    row = nextRow(row, index + 1, letter, to);
  }
  return row[to.length] ?? 0;
}

function nextRow(above: readonly number[], first: number, letter: string, to: string): number[] {
  const row = [first];
  for (let column = 1; column <= to.length; column += 1) {
    const replaced = cell(above, column - 1) + (letter === to[column - 1] ? 0 : 1);
    row.push(Math.min(replaced, cell(above, column) + 1, cell(row, column - 1) + 1));
  }
  return row;
}

const cell = (row: readonly number[], column: number): number => row[column] ?? 0;
