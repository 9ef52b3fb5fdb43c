import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

// Without those of the package's suggested arguments that disable protections or put all pages into one process, so that
// pages behave as in users' browsers. Software GL is used for WebGL only, that is for maps: drawing everything with it
// takes twice the time.
const args = [
  '--no-sandbox',
  '--font-render-hinting=none',
  '--use-gl=angle',
  '--use-angle=swiftshader-webgl',
  '--enable-unsafe-swiftshader',
]

/** Launches the Chromium of the development dependencies; on platforms it does not support, an installed one. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = hasChromium ? await sparticuz.executablePath() : findInstalledChromium()
  if (executablePath === undefined) throw new Error('there is no Chromium: run `npm run browser`')
  return chromium.launch({ executablePath, args })
}

/** The package supports x64 only. */
export const hasChromium = process.arch === 'x64'

/** The headless shell, like the packaged one: the full browser displays PDFs and requests icons. */
export function findInstalledChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, 'chromium-headless-shell')).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
