import { accessSync, constants } from 'node:fs';
import { pathToFileURL } from 'node:url';

const CHROMIUM = '/usr/bin/chromium';

/** What to install where there is no browser; `undefined` where there is one. */
export function missingBrowser(path = CHROMIUM): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return `screenshots need ${path}: apt-get install chromium fonts-liberation`;
  }
}

/** A page, and the picture to be made of it. */
export interface Shot {
  readonly page: string;
  readonly picture: string;
  readonly width: number;
}

/** Takes a picture of each page as a whole. */
export async function takeScreenshots(shots: readonly Shot[]): Promise<void> {
  const { chromium } = await import('playwright-core');
  // As root Chromium starts only without its sandbox; all that it opens are files written here.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  try {
    for (const { page: file, picture, width } of shots) {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      await page.goto(pathToFileURL(file).href);
      await page.screenshot({ path: picture, fullPage: true });
      await page.close();
    }
  } finally {
    await browser.close();
  }
}
