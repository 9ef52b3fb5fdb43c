import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
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
  const executablePath = hasChromium ? await unpackChromium() : findInstalledChromium()
  if (executablePath === undefined) throw new Error('there is no Chromium: run `npm run browser`')
  return chromium.launch({ executablePath, args })
}

/** The package supports x64 only. */
export const hasChromium = process.arch === 'x64'

const unpackedFolder = fileURLToPath(new URL('../../node_modules/.cache/chromium', import.meta.url))

/**
 * Unpacks the packaged Chromium unless it is there, and returns its path. The package unpacks to the folder for temporary
 * files and takes a file that is there for a complete one, so that a second process would start what the first one is
 * still writing. Here it unpacks to a folder of its own, which is renamed when it is complete.
 */
export async function unpackChromium(): Promise<string> {
  const path = join(unpackedFolder, 'chromium')
  if (existsSync(path)) return path
  await mkdir(dirname(unpackedFolder), { recursive: true })
  const partial = await mkdtemp(`${unpackedFolder}-`)
  const unpack = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())"
  await promisify(execFile)(process.execPath, ['--eval', unpack], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    env: { ...process.env, TMPDIR: partial },
  })
  await rename(partial, unpackedFolder).catch(async (error: unknown) => {
    await rm(partial, { recursive: true, force: true })
    // Another process was faster.
    if (!existsSync(path)) throw error
  })
  return path
}

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
