import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The shipped packages: those that Waybill needs to run, and those bundled into the web pages. */

export type LockedPackage = {
  /** Its folder. */
  path: string
  name: string
  version: string
  integrity?: string
  resolved?: string
  license?: string
  link?: boolean
  hasInstallScript?: boolean
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

function packageAt(path: string, locked: Locked): LockedPackage {
  const { version, integrity, resolved, license, link, hasInstallScript } = locked
  return {
    path,
    name: path.slice(path.lastIndexOf(start) + start.length),
    version,
    ...(integrity !== undefined && { integrity }),
    ...(resolved !== undefined && { resolved }),
    ...(license !== undefined && { license }),
    ...(link !== undefined && { link }),
    ...(hasInstallScript !== undefined && { hasInstallScript }),
  }
}

/** All packages of the lock file. */
export function lockedPackages(): LockedPackage[] {
  return [...readLock()].map(([path, locked]) => packageAt(path, locked))
}

export function shippedPackages(): LockedPackage[] {
  const lock = readLock()
  const found = new Set([...lock].filter(([, { dev }]) => !dev).map(([path]) => path))
  for (const name of packagesOfPortal()) add(lock, found, start + name)
  // Without its dependencies: only its bundled browser script is shipped (`browser-files.ts`).
  found.add(`${start}@scalar/fastify-api-reference`)
  return [...found].map((path) => packageAt(path, lock.get(path) as Locked))
}

/** A package with its dependencies, resolved as Node does: in the nearest `node_modules` upwards. */
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
  const files = readdirSync('web', { recursive: true, encoding: 'utf8' }).filter((path) => /\.(?:tsx?|css)$/.test(path))
  const names = files.flatMap((file) => {
    const text = readFileSync(join('web', file), 'utf8').replaceAll(/^import type .*$/gm, '')
    const imported = text.matchAll(/(?:from|import\(?|url\(|new URL\() ?['"](?!\.)([^'"]+)['"]/g)
    return [...imported].map(([, specifier]) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier as string)?.[0] as string)
  })
  return new Set(names)
}
