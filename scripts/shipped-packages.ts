import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What whoever installs Waybill gets: the packages that it needs to run, and those of which the portal is built. */

export type LockedPackage = {
  /** Where it lies. */
  path: string
  name: string
  version: string
  integrity?: string
  resolved?: string
  license?: string
  link?: boolean
}

type Locked = Omit<LockedPackage, 'path' | 'name'> & {
  dev?: boolean
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const start = 'node_modules/'

function readLock(): Map<string, Locked> {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
  return new Map(Object.entries(packages).filter(([path]) => path !== ''))
}

function packageAt(path: string, { version, integrity, resolved, license, link }: Locked): LockedPackage {
  return {
    path,
    name: path.slice(path.lastIndexOf(start) + start.length),
    version,
    ...(integrity !== undefined && { integrity }),
    ...(resolved !== undefined && { resolved }),
    ...(license !== undefined && { license }),
    ...(link !== undefined && { link }),
  }
}

/** All that the lock file names. */
export function lockedPackages(): LockedPackage[] {
  return [...readLock()].map(([path, locked]) => packageAt(path, locked))
}

export function shippedPackages(): LockedPackage[] {
  const lock = readLock()
  const found = new Set([...lock].filter(([, { dev }]) => !dev).map(([path]) => path))
  for (const name of packagesOfPortal()) add(lock, found, start + name)
  return [...found].map((path) => packageAt(path, lock.get(path) as Locked))
}

/** A package with all that it needs: as Node finds it, in the folder next to it or further up. */
function add(lock: Map<string, Locked>, found: Set<string>, path: string): void {
  const locked = lock.get(path)
  if (!locked || found.has(path)) return
  found.add(path)
  for (const name of Object.keys({ ...locked.dependencies, ...locked.peerDependencies })) {
    const place = placesFor(path, name).find((each) => lock.has(each))
    if (place !== undefined) add(lock, found, place)
  }
}

function placesFor(path: string, name: string): string[] {
  const parts = path.split(`/${start}`)
  return parts
    .map((_, index) => `${parts.slice(0, parts.length - index).join(`/${start}`)}/${start}${name}`)
    .concat(start + name)
}

function packagesOfPortal(): Set<string> {
  const files = readdirSync('src/portal', { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(?:tsx?|css)$/.test(path),
  )
  const names = files.flatMap((file) => {
    const text = readFileSync(join('src/portal', file), 'utf8').replaceAll(/^import type .*$/gm, '')
    const imported = text.matchAll(/(?:from|import\(?|url\(|new URL\() ?['"](?!\.)([^'"]+)['"]/g)
    return [...imported].map(([, specifier]) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier as string)?.[0] as string)
  })
  return new Set(names)
}
