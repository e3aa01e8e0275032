const ROUNDS = 200;

interface Cell {
  readonly key: string;
  readonly value: number;
}

/**
 * What every operation is compared with: a fixed mix of integers, short-lived objects and texts, as the operations
 * themselves are, of some microseconds. Changing it makes the baseline worthless.
 */
export function reference(): number {
  let hash = 2_166_136_261;
  let cell: Cell = { key: '', value: 0 };
  for (let index = 0; index < ROUNDS; index += 1) {
    hash = Math.imul(hash ^ index, 16_777_619);
    cell = { key: `k${index & 15}`, value: (cell.value + hash) | 0 };
  }
  return cell.value + cell.key.length;
}
