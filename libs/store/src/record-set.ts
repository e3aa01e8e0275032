/** Columns of a table with their SQL types, in order. */
export type Columns<Row> = Readonly<Record<keyof Row & string, string>>;

/** The names, as in `INSERT INTO t (…)`. */
export function columnList(columns: Readonly<Record<string, string>>): string {
  return Object.keys(columns).join(', ');
}

/** Rows out of parameter `$<index>`, which is their JSON text: one parameter whatever their number. */
export function recordSet(columns: Readonly<Record<string, string>>, index: number): string {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return `json_to_recordset($${index}::text::json) AS r(${typed.join(', ')})`;
}
