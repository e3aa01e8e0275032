import type { Page } from '../page.ts';

/** Something that was done on purpose. `details` is any JSON. */
export interface AuditRecord {
  readonly atMs: number;
  readonly actor: string;
  readonly action: string;
  readonly details: unknown;
}

/** Remembers who did what. */
export interface Audit {
  write(entry: { actor: string; action: string; details?: unknown }): Promise<void>;
  /**
   * Newest first.
   * @throws CursorInvalidError
   */
  list(page: { limit: number; cursor?: string | undefined }): Promise<Page<AuditRecord>>;
}
