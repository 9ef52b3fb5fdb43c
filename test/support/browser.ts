import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'
import { launchChromium } from './chromium.js'

/** A real browser, for the tests of one file. */
export async function startBrowser(): Promise<Browser> {
  const browser = await launchChromium()
  afterAll(() => browser.close())
  return browser
}
