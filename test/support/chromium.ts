import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

// Of the arguments that the package suggests, those that turn protections off or put all pages into one process are left
// out: the pages are to be seen as people's browsers show them.
const args = ['--no-sandbox', '--font-render-hinting=none', '--use-gl=angle', '--enable-unsafe-swiftshader']

// Maps are drawn by GL, which is software here. That of the machine draws nothing else by it, and takes half the time; with
// that of the package this was not tried.
const packagesDrawing = ['--use-angle=swiftshader', '--ignore-gpu-blocklist']
const machinesDrawing = ['--use-angle=swiftshader-webgl']

/** The real Chromium that comes with the development dependencies; where it does not run, that of the machine. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = hasChromium ? await sparticuz.executablePath() : findMachinesChromium()
  if (executablePath === undefined) throw new Error('there is no Chromium: npm run browser brings one')
  return chromium.launch({ executablePath, args: [...args, ...(hasChromium ? packagesDrawing : machinesDrawing)] })
}

/** The package is made for one kind of processor. */
export const hasChromium = process.arch === 'x64'

/** The same program as that of the package: one with windows shows PDFs, and asks for icons. */
export function findMachinesChromium(): string | undefined {
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
