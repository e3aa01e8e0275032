import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyseDocument, fetchDocument } from '@warren/catalog';
import type { Jobs } from '@warren/client';
import { derivedJobId } from '@warren/contracts';
import { createService, documentsSettings } from '@warren/documents';
import { loadConfig, type Service } from '@warren/runtime';
import {
  eventually,
  type Installation,
  install,
  quietTelemetry,
  type SeenHistory,
  seeHistory,
} from '@warren/testing';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MAX_BYTES = 100_000;

let installation: Installation;
let jobs: Jobs;
let history: SeenHistory;
let telemetry: ReturnType<typeof quietTelemetry>;
let dataDir: string;
let service: Service;
let server: Server;
let pdf: Buffer;
/** Requests of `/busy` so far. */
let asked = 0;

beforeAll(async () => {
  pdf = await makePdf();
  server = createServer((request, response) => answer(request.url ?? '', response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  installation = await install([fetchDocument, analyseDocument], { history: true });
  history = seeHistory(installation);
  dataDir = await mkdtemp(join(tmpdir(), 'warren-documents-'));
  [service, telemetry] = await startService({ DOCUMENT_ALLOW_PRIVATE: 'true' });
  jobs = await installation.connect();
});
afterAll(async () => {
  await service.stop();
  await history.close();
  await installation.dispose();
  server.closeAllConnections();
  server.close();
  await rm(dataDir, { recursive: true });
});

async function startService(env: Record<string, string>) {
  const quiet = quietTelemetry('documents');
  const config = loadConfig(documentsSettings, {
    AMQP_URL: installation.url,
    WARREN_NAMESPACE: installation.namespace,
    WARREN_DATA_DIR: dataDir,
    DOCUMENT_MAX_BYTES: String(MAX_BYTES),
    DOCUMENT_FETCH_SECONDS: '1',
    ...env,
  });
  const started = createService(config, quiet);
  await started.start();
  await eventually('the service is ready', () => started.ready().ready);
  return [started, quiet] as const;
}

async function makePdf(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.TimesRoman);
  for (const text of ['A page of five words.', 'Two more'])
    document.addPage().drawText(text, { font });
  return Buffer.from(await document.save());
}

function answer(path: string, response: ServerResponse): void {
  const { port } = server.address() as AddressInfo;
  if (path === '/moved')
    response.writeHead(302, { location: `http://127.0.0.1:${port}/a.pdf` }).end();
  else if (path === '/a.pdf') response.end(pdf);
  else if (path === '/busy') {
    asked += 1;
    if (asked === 1) response.writeHead(429, { 'retry-after': '1' }).end();
    else response.end(pdf);
  } else if (path === '/stalls') response.write(pdf.subarray(0, 100));
  else if (path === '/html') response.end('<html></html>');
  else if (path === '/broken') response.end('%PDF-1.7 and nothing else');
  else if (path === '/large') response.end(Buffer.concat([pdf, Buffer.alloc(MAX_BYTES)]));
  else response.writeHead(404).end();
}

async function fetchAt(path: string, id?: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${path}`;
  return (await jobs.publish(fetchDocument, { url }, id ? { id } : undefined)).id;
}

/** What the log of the service says about a job. */
function line(id: string, msg: string, times = 1): Promise<Record<string, unknown>> {
  return eventually(`${times} of "${msg}" for ${id}`, () => {
    const lines = telemetry.lines.filter((one) => one['job_id'] === id && one['msg'] === msg);
    return lines.length >= times && lines.at(-1);
  });
}
/** As the history tells it. */
async function resultOf(id: string): Promise<unknown> {
  const events = await history.until(id, 'succeeded');
  const done = events.find((event) => event.kind === 'succeeded');
  return JSON.parse(done?.result ?? 'null');
}
const analysisOf = (fetchId: string) => derivedJobId(analyseDocument.type, fetchId);

/** Ids and reasons of the dead letters of a job type, once there are so many. */
async function deadLetters(type: string, count: number): Promise<Map<string, string>> {
  const queue = installation.topology.names.deadQueue(type);
  await eventually(
    `${count} in ${queue}`,
    async () => (await installation.admin.depth(queue)) === count,
  );
  const letters = await installation.admin.take(queue);
  return new Map(
    letters.map(({ properties }) => [
      String(properties.messageId),
      `${properties.headers?.['x-dead-reason']}: ${String(properties.headers?.['x-error']).split('\n')[0]}`,
    ]),
  );
}

describe('the documents service', () => {
  it('fetches a PDF over a redirect and counts what is in it, once for a job that comes twice', async () => {
    const id = await fetchAt('/moved');
    const { sha256 } = await line(analysisOf(id), 'document analysed');
    const found = { pages: 2, words: 7, sha256, sizeBytes: pdf.length };
    expect(await resultOf(id)).toEqual({
      sha256,
      sizeBytes: pdf.length,
      analyseJobId: analysisOf(id),
    });
    expect(await resultOf(analysisOf(id))).toEqual(found);
    for (const one of [id, analysisOf(id)]) {
      const progress = history.of(one).filter(({ kind }) => kind === 'progress');
      expect(progress.at(-1)).toMatchObject({ fraction: 1 });
    }
    expect((await readdir(join(dataDir, 'documents'))).sort()).toEqual([
      `${sha256}.json`,
      `${sha256}.pdf`,
    ]);
    await fetchAt('/moved', id);
    await line(id, 'document kept', 2);
    await line(analysisOf(id), 'document was analysed before');
  });

  it('comes back when a busy server says so, and to one that stalls', async () => {
    const [busy, stalled] = [await fetchAt('/busy'), await fetchAt('/stalls')];
    const retried = 'attempt failed; the job is retried';
    const wait = await line(busy, retried);
    expect(wait['delay_ms']).toBeGreaterThanOrEqual(1_000);
    await line(analysisOf(busy), 'document was analysed before');
    expect(JSON.stringify(await line(stalled, retried))).toContain('not done within 1000 ms');
  });

  it('makes dead letters that say why of what will never do', async () => {
    const paths = ['/nothing', '/html', '/large'];
    const ids = await Promise.all(paths.map((path) => fetchAt(path)));
    const broken = await fetchAt('/broken');
    const problems = ['answered 404', 'is not a PDF', `larger than ${MAX_BYTES} bytes`];
    const letters = await deadLetters(fetchDocument.type, 3);
    for (const [index, id] of ids.entries()) {
      expect(letters.get(id)).toMatch(/^non_retryable: attempt 1: NonRetryableError/);
      expect(letters.get(id)).toContain(problems[index]);
    }
    const unread = await deadLetters(analyseDocument.type, 1);
    expect(unread.get(analysisOf(broken))).toContain('the document cannot be read');
  });

  it('asks no address that is not public unless that is allowed', async () => {
    await service.stop();
    [service, telemetry] = await startService({});
    const id = await fetchAt('/a.pdf');
    const letters = await deadLetters(fetchDocument.type, 1);
    expect(letters.get(id)).toContain('the address is not a public one');
  });
});
