import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import { afterAll } from 'vitest'

/** The real Chromium that comes with the development dependencies, for the tests of one file. */
export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: await sparticuz.executablePath(), args: sparticuz.args })
  afterAll(() => browser.close())
  return browser
}
