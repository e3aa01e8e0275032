import type { analyseDocument } from '@warren/catalog';
import { type Job, NonRetryableError, type PayloadOutput } from '@warren/contracts';
import type { DocumentStore } from '../../data-access/document-store.ts';
import type { Analysis } from '../../domain/analysis.ts';
import type { ReadPdf } from '../../reader/pdf-reader.ts';
import type { HandlerContext } from './handler-context.ts';

export interface AnalyseHandlerOptions {
  readonly readPdf: ReadPdf;
  readonly store: Pick<DocumentStore, 'pathOf' | 'sizeOf' | 'analysisOf' | 'finish'>;
}

type AnalyseJob = Pick<Job<PayloadOutput<typeof analyseDocument>>, 'payload'>;

/** Handler of `document.analyse`. What was found before is not looked for again. */
export function analyseHandler({ readPdf, store }: AnalyseHandlerOptions) {
  return async ({ payload }: AnalyseJob, context: HandlerContext): Promise<Analysis> => {
    const { sha256 } = payload;
    const known = await store.analysisOf(sha256);
    if (known) {
      context.log.info({ sha256 }, 'document was analysed before');
      return known;
    }
    const sizeBytes = await store.sizeOf(sha256);
    const file = { path: store.pathOf(sha256), sha256 };
    try {
      const { pages, words } = await readPdf(file, context.signal, (...report) =>
        context.progress(...report),
      );
      const analysis = { pages, words, sha256, sizeBytes };
      await store.finish(sha256, analysis);
      context.log.info({ ...analysis }, 'document analysed');
      return analysis;
    } catch (error) {
      if (error instanceof NonRetryableError) await store.finish(sha256);
      throw error;
    }
  };
}
