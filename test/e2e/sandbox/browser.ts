import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';

const CANDIDATES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where screenshots are kept, to be looked at by people. */
const ARTIFACTS = join(__dirname, '..', '..', '..', 'artifacts', 'sandbox');

/** The machine's own Chromium. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = CANDIDATES.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) {
    throw new Error('No Chromium was found: install one (apt-get install chromium), or name it in CHROMIUM.');
  }
  // Without the browser's own sandbox, as tests in containers run as root; the pages are ours.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** Keeps a picture of the page. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(ARTIFACTS, { recursive: true });
  await page.screenshot({ path: join(ARTIFACTS, `${name}.png`) });
}

/** What axe-core finds wrong with the page, each with the elements that it concerns. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // The body of a mail is its sender's, not ours.
  const results = await page.evaluate<AxeResults>("axe.run({ exclude: ['iframe'] })");
  return results.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.target.join(' ')).join(', ')})`,
  );
}
