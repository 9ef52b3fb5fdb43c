import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem, type } from 'node:os'
import type { Results } from './results.js'

export function describeMachine(postgres: string): Results['machine'] {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memory: totalmem(),
    system: `${type()} ${release()}`,
    node: process.version,
    postgres,
  }
}

/** The short commit, and whether files other than the report differ from it. */
export function describeCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  try {
    const changed = git('status', '--porcelain', '--', '..', ':!../docs/performance*')
    return `${git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : ', with changes'}`
  } catch {
    return 'unknown'
  }
}
