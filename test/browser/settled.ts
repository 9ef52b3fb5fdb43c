import type { Page } from 'playwright-core'

/** Waits until the page shows what it is about: its heading, its data, its font, its map if it has one. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}
