import { NonRetryableError, RetryAfterError } from '@warren/contracts';
import { guardedLookup, publicAddresses } from '@warren/outbound';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DownloadError } from '../domain/download-error.ts';
import {
  type DocumentServer,
  redirects,
  sends,
  serveDocuments,
} from '../fixtures/document-server.ts';
import { createDownloader, type DownloadLimits, type Incoming } from './downloader.ts';

const PDF = `%PDF-1.7\n${'x'.repeat(3_000)}`;
const MAX_BYTES = 10_000;
/** Names that end in .test are found here as if the address were a public one. */
const lookup: NonNullable<DownloadLimits['lookup']> = (host, options, callback) => {
  if (!host.endsWith('.test')) return guardedLookup(publicAddresses())(host, options, callback);
  callback(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);
};

let server: DocumentServer;
beforeAll(async () => {
  server = await serveDocuments({
    '/a.pdf': sends(PDF),
    '/once': redirects('/a.pdf'),
    '/five': redirects('/four', 301),
    '/four': redirects('/three', 303),
    '/three': redirects('/two', 307),
    '/two': redirects('/once', 308),
    '/six': redirects('/five'),
    '/loop': redirects('/loop'),
    '/to-file': redirects('file:///etc/passwd'),
    '/to-private': redirects('http://169.254.169.254/latest/meta-data'),
    '/to-mapped': redirects('http://[::ffff:127.0.0.1]/'),
    '/to-loopback-name': (response, request) =>
      redirects(`http://localhost:${request.socket.localPort}/a.pdf`)(response, request),
    '/to-password': redirects('http://ada:secret@files.test/a.pdf'),
    '/nowhere': sends('', {}, 302),
    '/empty': sends(''),
    '/html': sends('<html>%PDF is not here</html>'),
    '/large': sends(PDF, { 'content-length': String(MAX_BYTES + 1) }),
    '/endless': (response) => {
      response.writeHead(200);
      response.write(PDF);
      const more = () => {
        while (!response.destroyed && response.write(PDF));
      };
      response.on('drain', more);
      more();
    },
    '/stalls': (response) => void response.writeHead(200).write(PDF),
    '/silent': () => undefined,
    '/short': (response) => {
      response.writeHead(200, { 'content-length': '9000' });
      response.write(PDF, () => response.destroy());
    },
    '/gone': sends('', {}, 410),
    '/busy': sends('', { 'retry-after': '7' }, 429),
    '/down': sends('', { 'retry-after': 'soon' }, 503),
  });
});
afterAll(() => server.close());

async function textOf({ body }: Incoming): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function get(
  url: string,
  limits: Partial<DownloadLimits> = {},
  signal = new AbortController().signal,
) {
  const download = createDownloader({
    maxBytes: MAX_BYTES,
    timeoutMs: 5_000,
    connectTimeoutMs: 2_000,
    allowPrivate: false,
    lookup,
    ...limits,
  });
  return download(url, textOf, signal);
}
const at = (path: string) => server.url(path, 'files.test');

describe('a download', () => {
  it.each(['/a.pdf', '/once', '/five'])('follows %s to the document', async (path) => {
    expect(await get(at(path))).toBe(PDF);
  });

  it.each([
    ['/six', /more than 5 redirects/],
    ['/loop', /more than 5 redirects/],
    ['/to-file', /neither an http nor an https URL/],
    ['/to-private', /not a public one/],
    ['/to-mapped', /not a public one/],
    ['/to-loopback-name', /not a public one/],
    ['/to-password', /with a user or a password/],
    ['/nowhere', /answered 302/],
    ['/empty', /is empty/],
    ['/html', /is not a PDF/],
    ['/large', /larger than 10000 bytes/],
    ['/endless', /larger than 10000 bytes/],
    ['/gone', /answered 410/],
    ['/unknown', /answered 404/],
  ])('of %s fails for good', async (path, message) => {
    const failure = await get(at(path)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NonRetryableError);
    expect(String(failure)).toMatch(message);
  });

  it.each([
    ['/short', /failed: ECONNRESET/],
    ['/stalls', /not done within 300 ms/],
    ['/silent', /not done within 300 ms/],
    ['/down', /answered 503/],
  ])('of %s fails for now', async (path, message) => {
    const failure = await get(at(path), { timeoutMs: 300 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DownloadError);
    expect(String(failure)).toMatch(message);
    expect(String(failure)).not.toContain('files.test');
  });

  it('waits as long as the server says', async () => {
    const failure = await get(at('/busy')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RetryAfterError);
    expect(failure).toMatchObject({ delayMs: 7_000 });
  });

  it.each([
    ['written as they are', () => server.url('/a.pdf')],
    ['written as a number', () => server.url('/a.pdf', '2130706433')],
    ['in IPv6', () => server.url('/a.pdf', '[::1]')],
    ['behind a name', () => server.url('/a.pdf', 'localhost')],
  ])('asks no private address unless allowed: %s', async (_, url) => {
    const before = server.seen.length;
    await expect(get(url())).rejects.toThrow(/not a public one \(DOCUMENT_ALLOW_PRIVATE=1/);
    expect(server.seen).toHaveLength(before);
  });

  it('asks private addresses where that is allowed', async () => {
    expect(await get(server.url('/a.pdf'), { allowPrivate: true })).toBe(PDF);
    expect(await get(server.url('/to-loopback-name'), { allowPrivate: true })).toBe(PDF);
  });

  it('tells that nobody listens and that a name is unknown, without naming the host', async () => {
    const refused = get('http://127.0.0.1:9/', { allowPrivate: true });
    await expect(refused).rejects.toThrow(/^download: failed: ECONNREFUSED$/);
    const unknown = get('http://nobody.invalid/');
    await expect(unknown).rejects.toThrow(/^download: failed: (ENOTFOUND|EAI_AGAIN)$/);
  });

  it('gives up on a connection that does not come about', async () => {
    const never: DownloadLimits['lookup'] = () => undefined;
    const attempt = get(at('/a.pdf'), { lookup: never, connectTimeoutMs: 50 });
    await expect(attempt).rejects.toThrow('download: no connection within 50 ms');
  });

  it('stops when it is told, with the reason', async () => {
    const controller = new AbortController();
    const attempt = get(at('/stalls'), {}, controller.signal);
    controller.abort(new Error('shutting down'));
    await expect(attempt).rejects.toThrow('shutting down');
  });

  it('fails as whoever takes it fails, and lets go of the server', async () => {
    const limits = { maxBytes: MAX_BYTES, timeoutMs: 5_000, connectTimeoutMs: 2_000 };
    const download = createDownloader({ ...limits, allowPrivate: true });
    const full = async () => Promise.reject(new Error('disk full'));
    const { signal } = new AbortController();
    await expect(download(server.url('/stalls'), full, signal)).rejects.toThrow('disk full');
  });
});
