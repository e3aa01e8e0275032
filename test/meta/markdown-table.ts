/** The rows of the table under a heading: the texts of their cells. The head of the table is left out. */
export function tableRows(markdown: string, heading: string): string[][] {
  const from = markdown.indexOf(`\n${heading}\n`);
  const start = markdown.startsWith(`${heading}\n`) ? 0 : from;
  if (start < 0) throw new Error(`no heading ${heading}`);
  const lines = markdown.slice(start + 1).split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  if (first < 0) throw new Error(`no table under ${heading}`);
  const table = lines.slice(first);
  const end = table.findIndex((line) => !line.startsWith('|'));
  return table.slice(2, end < 0 ? undefined : end).map(cellsOf);
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'));
}

/** The first cells of a table's rows. */
export function firstColumn(markdown: string, heading: string): string[] {
  return tableRows(markdown, heading).map(([first = '']) => first);
}
