import { join } from 'node:path';
import { analyseDocument, fetchDocument } from '@warren/catalog';
import { connectJobs, type Jobs } from '@warren/client';
import { ConfigInvalidError } from '@warren/contracts';
import {
  createWorkerService,
  type Service,
  type WorkerParts,
  workerEnvironment,
} from '@warren/runtime';
import type { Logger, Metrics } from '@warren/telemetry';
import { createWorker, type HandlerRegistration, handle } from '@warren/worker';
import type { DocumentsConfig } from './config.ts';
import { DocumentStore } from './data-access/document-store.ts';
import { createDownloader } from './data-access/downloader.ts';
import { analyseHandler } from './entry-points/queue/analyse-handler.ts';
import { fetchHandler } from './entry-points/queue/fetch-handler.ts';
import { createPdfReader } from './reader/pdf-reader.ts';

/** What the process gives to the service. */
export interface DocumentsDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Downloads PDFs and counts their pages and words. Its `start` resolves also while the broker is away: `ready` tells.
 * @throws ConfigInvalidError where no document could ever be kept
 */
export function createService(config: DocumentsConfig, deps: DocumentsDeps): Service {
  if (config.DOCUMENT_STORE_MAX_BYTES < config.DOCUMENT_MAX_BYTES) {
    throw new ConfigInvalidError('DOCUMENT_STORE_MAX_BYTES', 'is less than DOCUMENT_MAX_BYTES');
  }
  return createWorkerService({
    name: 'documents',
    graceMs: config.SHUTDOWN_GRACE_SECONDS * 1_000,
    prepare: (parts) => prepare(parts, config, deps),
  });
}

async function prepare(
  parts: WorkerParts,
  config: DocumentsConfig,
  deps: DocumentsDeps,
): Promise<void> {
  const store = new DocumentStore({
    folder: join(config.WARREN_DATA_DIR, 'documents'),
    maxBytes: config.DOCUMENT_STORE_MAX_BYTES,
    abandonedAfterMs: analyseDocument.maxAgeMs,
  });
  await store.removeLeftovers();
  const common = {
    ...deps,
    ...workerEnvironment(config),
    service: 'documents',
  };
  const jobs = await connectJobs({ ...common, jobs: [analyseDocument] });
  parts.jobs = jobs;
  parts.worker = createWorker({
    ...common,
    handlers: handlersOf(config, store, jobs),
  });
}

function handlersOf(
  config: DocumentsConfig,
  store: DocumentStore,
  jobs: Jobs,
): HandlerRegistration[] {
  const download = createDownloader({
    maxBytes: config.DOCUMENT_MAX_BYTES,
    timeoutMs: config.DOCUMENT_FETCH_SECONDS * 1_000,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    allowPrivate: config.DOCUMENT_ALLOW_PRIVATE,
  });
  const readPdf = createPdfReader({ timeoutMs: config.DOCUMENT_ANALYSE_SECONDS * 1_000 });
  return [
    handle(fetchDocument, fetchHandler({ download, store, jobs })),
    handle(analyseDocument, analyseHandler({ readPdf, store })),
  ];
}
