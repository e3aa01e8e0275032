/** Columns of texts, numbers (from the second column on) to the right. Ends with a line feed. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = widthsOf(head, rows);
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join(GAP)
      .trimEnd();
  return `${[head, ...rows].map(line).join('\n')}\n`;
}

const GAP = '  ';

/** Characters in the longest line of such a table. */
export function tableWidth(head: readonly string[], rows: readonly (readonly string[])[]): number {
  const widths = widthsOf(head, rows);
  return widths.reduce((all, one) => all + one, 0) + GAP.length * (widths.length - 1);
}

function widthsOf(head: readonly string[], rows: readonly (readonly string[])[]): number[] {
  const all = [head, ...rows];
  return head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
}
