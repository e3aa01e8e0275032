import { analyseDocument } from '@warren/catalog';
import type { PublishOptions } from '@warren/client';
import { derivedJobId, NonRetryableError } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../domain/analysis.ts';
import { quietLogger } from '../../fixtures/quiet-logger.ts';
import { analyseHandler } from './analyse-handler.ts';
import { fetchHandler } from './fetch-handler.ts';

const document = { sha256: 'a'.repeat(64), sizeBytes: 400 };

function contextOf() {
  const told: [number, string | undefined][] = [];
  const progress = (fraction: number, message?: string) => void told.push([fraction, message]);
  return { signal: new AbortController().signal, log: quietLogger, progress, told };
}

describe('document.fetch', () => {
  const job = { id: 'job-1', payload: { url: 'https://example.org/' }, correlationId: undefined };

  function handlerOf(expectedBytes?: number) {
    const published: [unknown, PublishOptions | undefined][] = [];
    async function* body() {
      for (let count = 0; count < 4; count += 1) yield Buffer.alloc(100);
    }
    const handler = fetchHandler({
      download: (_url, take) => take({ expectedBytes, body: body() }),
      store: {
        async keep(bytes) {
          for await (const _ of bytes);
          return document;
        },
      },
      jobs: {
        async publish(definition, payload, options) {
          published.push([payload, options]);
          return { id: derivedJobId(definition.type, options?.idempotencyKey ?? '') };
        },
      },
    });
    return { handler, published };
  }

  it('publishes the analysis of what it kept, under the same id at each repeat', async () => {
    const { handler, published } = handlerOf();
    const first = await handler(job, contextOf());
    expect(first).toEqual({
      ...document,
      analyseJobId: derivedJobId(analyseDocument.type, 'job-1'),
    });
    expect(await handler(job, contextOf())).toEqual(first);
    const options = { idempotencyKey: 'job-1', correlationId: 'job-1' };
    expect(published[1]).toEqual([{ sha256: document.sha256 }, options]);
  });

  it('tells how far it is where the server says how much there is', async () => {
    const [known, unknown] = [contextOf(), contextOf()];
    await handlerOf(400).handler(job, known);
    expect(known.told).toEqual([
      [0.99 / 4, '100 bytes of 400'],
      [0.99 / 2, '200 bytes of 400'],
      [0.7425, '300 bytes of 400'],
      [0.99, '400 bytes of 400'],
      [1, 'handed to its analysis'],
    ]);
    await handlerOf().handler(job, unknown);
    expect(unknown.told).toHaveLength(1);
  });
});

describe('document.analyse', () => {
  const job = { payload: { sha256: document.sha256 } };

  function storeOf(known?: Analysis) {
    const finished: (Analysis | undefined)[] = [];
    return {
      finished,
      pathOf: (sha256: string) => `/documents/${sha256}.pdf`,
      sizeOf: async () => document.sizeBytes,
      analysisOf: async () => known,
      finish: async (_: string, analysis?: Analysis) => void finished.push(analysis),
    };
  }
  const refuse = async () => Promise.reject(new NonRetryableError('broken'));
  const fail = async () => Promise.reject(new Error('no thread'));

  it('counts, remembers, and tells how far it is', async () => {
    const store = storeOf();
    const context = contextOf();
    const handler = analyseHandler({
      store,
      readPdf: async ({ path }, _signal, progress) => {
        expect(path).toBe(store.pathOf(document.sha256));
        progress(0.5, 'page 1 of 2');
        return { pages: 2, words: 7 };
      },
    });
    const analysis = { pages: 2, words: 7, ...document };
    expect(await handler(job, context)).toEqual(analysis);
    expect(store.finished).toEqual([analysis]);
    expect(context.told).toEqual([[0.5, 'page 1 of 2']]);
  });

  it('does not look again for what was found before', async () => {
    const known = { pages: 1, words: 2, ...document };
    const handler = analyseHandler({ store: storeOf(known), readPdf: fail });
    expect(await handler(job, contextOf())).toEqual(known);
  });

  it('lets a document go that cannot be read, but not one whose reading failed', async () => {
    const [refused, failed] = [storeOf(), storeOf()];
    const refusing = analyseHandler({ store: refused, readPdf: refuse })(job, contextOf());
    await expect(refusing).rejects.toThrow('broken');
    expect(refused.finished).toEqual([undefined]);
    const failing = analyseHandler({ store: failed, readPdf: fail })(job, contextOf());
    await expect(failing).rejects.toThrow('no thread');
    expect(failed.finished).toEqual([]);
  });
});
