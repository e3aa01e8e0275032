import { createPrivateKey, X509Certificate } from 'node:crypto';
import { ConfigInvalidError } from '@warren/contracts';

/** PEM contents (not file names), for `amqps://`. The server's certificate is always verified. */
export interface TlsSettings {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Name to verify and to send as SNI, where it differs from the URL's host. */
  readonly servername?: string | undefined;
}

/**
 * Finds at start what would fail at every connection. Node takes a `ca` without any certificate in silence.
 * @throws ConfigInvalidError naming `tls.ca`, `tls.cert` or `tls.key`; the message holds nothing of the key
 */
export function checkTls({ ca, cert, key }: TlsSettings): void {
  if (ca !== undefined) parse('tls.ca', 'certificate', () => new X509Certificate(ca));
  if (cert === undefined && key === undefined) return;
  if (cert === undefined) throw new ConfigInvalidError('tls.cert', 'missing beside tls.key');
  if (key === undefined) throw new ConfigInvalidError('tls.key', 'missing beside tls.cert');
  const certificate = parse('tls.cert', 'certificate', () => new X509Certificate(cert));
  const privateKey = parse('tls.key', 'private key', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new ConfigInvalidError('tls.key', 'is not the key of the certificate in tls.cert');
  }
}

function parse<T>(setting: string, what: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new ConfigInvalidError(
      setting,
      `holds no ${what} in PEM form; give the contents of the file`,
    );
  }
}
