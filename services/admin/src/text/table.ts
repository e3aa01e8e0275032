/** Columns of texts, numbers (from the second column on) to the right. Ends with a line feed. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
}
