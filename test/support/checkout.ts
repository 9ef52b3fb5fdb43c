import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './program.js'

/** A copy of the repository's files, like a new clone: nothing installed, nothing built. */
export async function newCheckout(): Promise<string> {
  const folder = join(await temporaryFolder(), 'waybill')
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  for (const path of list.toString().split('\0')) {
    // Git still lists files that were removed but not committed.
    if (path === '' || !existsSync(path)) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(path, join(folder, path))
  }
  return folder
}

export function runIn(folder: string, program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr }
}
