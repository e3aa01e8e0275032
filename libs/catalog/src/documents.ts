import { defineJob, pii } from '@warren/contracts';
import { z } from 'zod';
import { httpUrl } from './http-url.ts';

/** Download one PDF and have it analysed: once it is kept, a `document.analyse` follows whose id follows from this job's. */
export const fetchDocument = defineJob({
  type: 'document.fetch',
  description: 'Download a PDF and have it analysed',
  schema: z
    .strictObject({
      /** Its query may hold a secret: links that were signed for a while do. */
      url: pii(httpUrl()),
    })
    .meta({ examples: [{ url: 'https://example.org/report.pdf' }] }),
  retry: { maxAttempts: 6, backoff: { kind: 'exponential', initial: '5s', factor: 3, max: '10m' } },
  timeout: '5m',
  maxAge: '1d',
  // A full disk is waited for every minute, as long as the job may live.
  maxSnoozes: 10_000,
  concurrency: 4,
});

/** Count the pages and words of a PDF that is kept. Published by the handler of `document.fetch`; anybody may repeat it. */
export const analyseDocument = defineJob({
  type: 'document.analyse',
  description: 'Count pages and words of a PDF that was downloaded',
  schema: z
    .strictObject({
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hexadecimal digits'),
    })
    .meta({ examples: [{ sha256: '0'.repeat(64) }] }),
  retry: { maxAttempts: 5, backoff: { kind: 'exponential', initial: '5s', max: '5m' } },
  timeout: '5m',
  maxAge: '1d',
  // Each keeps one core busy.
  concurrency: 2,
  prefetch: 2,
});
