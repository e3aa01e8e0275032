import { analyseDocument, type fetchDocument } from '@warren/catalog';
import type { Jobs } from '@warren/client';
import type { Job, PayloadOutput } from '@warren/contracts';
import type { DocumentStore } from '../../data-access/document-store.ts';
import type { Download, Incoming } from '../../data-access/downloader.ts';
import type { KeptDocument, ReportProgress } from '../../domain/analysis.ts';
import type { HandlerContext } from './handler-context.ts';

export interface FetchHandlerOptions {
  readonly download: Download;
  readonly store: Pick<DocumentStore, 'keep'>;
  /** Knows `document.analyse`. */
  readonly jobs: Pick<Jobs, 'publish'>;
}

/** Result of `document.fetch`. */
export interface Fetched extends KeptDocument {
  readonly analyseJobId: string;
}

type FetchJob = Pick<Job<PayloadOutput<typeof fetchDocument>>, 'id' | 'payload' | 'correlationId'>;

/** Handler of `document.fetch`: keeps the document, then publishes its analysis, under an id that is the same at a repeat. */
export function fetchHandler({ download, store, jobs }: FetchHandlerOptions) {
  return async (job: FetchJob, context: HandlerContext): Promise<Fetched> => {
    const progress: ReportProgress = (...report) => context.progress(...report);
    const document = await download(
      job.payload.url,
      (incoming) => store.keep(counted(incoming, progress)),
      context.signal,
    );
    context.signal.throwIfAborted();
    context.log.info({ sha256: document.sha256, bytes: document.sizeBytes }, 'document kept');
    const { sha256 } = document;
    const correlationId = job.correlationId ?? job.id;
    const analysis = await jobs.publish(
      analyseDocument,
      { sha256 },
      { idempotencyKey: job.id, correlationId },
    );
    progress(1, 'handed to its analysis');
    return { ...document, analyseJobId: analysis.id };
  };
}

/** All but the last percent is the download. */
async function* counted({ body, expectedBytes }: Incoming, progress: ReportProgress) {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (expectedBytes) {
      const fraction = Math.min((0.99 * bytes) / expectedBytes, 0.99);
      progress(fraction, `${bytes} bytes of ${expectedBytes}`);
    }
    yield chunk;
  }
}
