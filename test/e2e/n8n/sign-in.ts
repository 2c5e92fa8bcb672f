import { selectors } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { OWNER } from '../../hosts/n8n/instance.js';
import type { N8nInstance } from '../../hosts/n8n/instance.js';

/** A page of n8n's editor, signed in as the owner. */
export async function signIn(browser: Browser, n8n: N8nInstance): Promise<Page> {
  selectors.setTestIdAttribute('data-test-id');
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  page.setDefaultTimeout(60_000);
  await page.goto(`${n8n.url}/signin`, { waitUntil: 'domcontentloaded' });
  await page.locator('input[name="emailOrLdapLoginId"]').fill(OWNER.email);
  await page.locator('input[name="password"]').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/home|workflow/);
  return page;
}
