import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'

/** The version that an upgrade to the working tree begins with: the last one that was released, as previous-version.json has it. */
export const recorded = JSON.parse(readFileSync(new URL('previous-version.json', import.meta.url), 'utf8')) as {
  commit: string
  newestMigration: string
}

/** The commit of that version, or of another one. */
export function previousRevision(from = recorded.commit): string {
  try {
    return git('rev-parse', '--short', '--verify', '--quiet', `${from}^{commit}`)
  } catch {
    const what = 'get the whole history (git fetch --unshallow), or name a commit that is here by --from'
    throw new Error(`an upgrade begins with the commit ${from}, which is not in this clone: ${what}`)
  }
}

/** Its files, without a repository. */
export function extractRevision(revision: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', revision], { maxBuffer: 1024 * 1024 * 1024 })
  execFileSync('tar', ['x', '-C', folder], { input: archive })
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}
