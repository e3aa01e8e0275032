/**
 * A download that failed this time; another attempt may succeed. No message of a download shows the URL: it may hold a
 * secret, and messages end up in headers and logs.
 */
export class DownloadError extends Error {
  constructor(message: string) {
    super(`download: ${message}`);
    this.name = 'DownloadError';
  }
}
