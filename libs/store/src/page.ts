/** A page of a list; `cursor` asks for the next one, undefined at the end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string | undefined;
}
