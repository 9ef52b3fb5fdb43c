import type { Browser } from 'playwright-core'
import { launchChromium } from './chromium.js'

let browser: Promise<Browser> | undefined

/** A real browser, shared by the files of a test process: each page has a context of its own. It ends with the process. */
export function startBrowser(): Promise<Browser> {
  browser ??= launchChromium()
  return browser
}
