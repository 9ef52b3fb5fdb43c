import type { Page } from 'playwright-core'

/** Waits until the page has loaded its heading, data, fonts and map. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}
