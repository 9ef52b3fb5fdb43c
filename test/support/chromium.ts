import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

// Of the arguments that the package suggests, those that turn protections off or put all pages into one process are left
// out: the pages are to be seen as people's browsers show them.
const args = [
  '--no-sandbox',
  '--font-render-hinting=none',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
]

/** The real Chromium that comes with the development dependencies. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args })
}
