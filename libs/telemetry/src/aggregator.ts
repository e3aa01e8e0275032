/** How the series of several processes with the same labels become one; prom-client's names. */
export type Aggregator = 'sum' | 'max' | 'min' | 'first' | 'average';

/**
 * How a metric's series are to be put together where Node's `cluster` has several processes answer one scrape. By its kind
 * and name, unless the table says otherwise: what is counted adds up; of times, ages and limits the greatest counts; what
 * describes is the same everywhere.
 */
export function aggregatorOf(
  name: string,
  { type, aggregator }: { readonly type: string; readonly aggregator?: Aggregator | undefined },
): Aggregator {
  if (aggregator) return aggregator;
  if (type !== 'gauge') return 'sum';
  if (name.endsWith('_info')) return 'first';
  if (name.endsWith('_ratio')) return 'average';
  return name.endsWith('_seconds') ? 'max' : 'sum';
}
