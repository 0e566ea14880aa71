/** Debian's Chromium for tests; where it is missing, they are skipped, and say so. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PROGRAM = process.env.FLEETWAVE_CHROMIUM ?? '/usr/bin/chromium';

export const hasChromium = existsSync(PROGRAM);

if (!hasChromium) {
  console.warn(`\n*** ${PROGRAM} is missing: NO PAGE IS TESTED IN A BROWSER. ***\n`);
}

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'] });

/** A page of a file, with what it complained of and what it asked for. */
export interface Opened {
  readonly page: Page;
  readonly complaints: string[];
  readonly requests: string[];
}

export interface OpenOptions {
  readonly width?: number;
  readonly hasScripts?: boolean;
  readonly isDark?: boolean;
  /** With its `#`. */
  readonly fragment?: string;
}

export async function open(
  browser: Browser,
  path: string,
  { width = 1280, hasScripts = true, isDark = false, fragment = '' }: OpenOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    javaScriptEnabled: hasScripts,
    colorScheme: isDark ? 'dark' : 'light',
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`file://${path}${fragment}`);
  if (hasScripts) await page.waitForSelector('#explorer section, #explorer .note');
  return { page, complaints, requests };
}
