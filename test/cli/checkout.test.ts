import { appendFileSync, cpSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parts } from '../../scripts/parts.mjs'
import { newCheckout, runIn } from '../support/checkout.js'

/** The first commands in a clone: what they build and start, and how they fail. */

/** A clone after `npm ci`. */
async function newInstalledCheckout(): Promise<string> {
  const checkout = await newCheckout()
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'))
  cpSync('dist', join(checkout, 'dist'), { recursive: true, preserveTimestamps: true })
  expect(build(checkout)).toMatchObject({ status: 0, stderr: '' })
  return checkout
}

function build(checkout: string) {
  return runIn(checkout, process.execPath, 'scripts/build.mjs')
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
}

function timesIn(folder: string): [path: string, time: number][] {
  return filesBelow(folder).map((path) => [path, statSync(path).mtimeMs])
}

test('a build with unchanged inputs does nothing, whatever the file times are', async () => {
  const checkout = await newInstalledCheckout()
  const before = timesIn(join(checkout, 'dist'))
  for (const path of filesBelow(join(checkout, 'src'))) utimesSync(path, new Date(), new Date())
  expect(build(checkout)).toEqual({ status: 0, stdout: 'dist/ is up to date.\n', stderr: '' })
  expect(timesIn(join(checkout, 'dist'))).toEqual(before)
})

test('a changed source of the program rebuilds the program, but not the portal', async () => {
  const checkout = await newInstalledCheckout()
  const portal = timesIn(join(checkout, 'dist', 'portal'))
  appendFileSync(join(checkout, 'src', 'cli', 'main.ts'), "console.error('changed')\n")
  expect(build(checkout)).toEqual({ status: 0, stdout: 'Built: program.\n', stderr: '' })
  expect(timesIn(join(checkout, 'dist', 'portal'))).toEqual(portal)
  expect(runIn(checkout, process.execPath, 'bin/waybill.cjs', 'secret', '--help').stderr).toBe('changed\n')
  expect(build(checkout).stdout).toBe('dist/ is up to date.\n')
})

test('`npx waybill` runs before and after a rebuild of the program', async () => {
  const checkout = await newInstalledCheckout()
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  // npx keeps notes about the folder, which are removed with it.
  const npx = () => runIn(checkout, 'npx', '--cache', join(checkout, '..', 'npm'), 'waybill', '--version')
  // The first time npx makes the file executable; later it does not touch it.
  expect(npx()).toMatchObject({ status: 0, stdout: `${version}\n` })
  appendFileSync(join(checkout, 'src', 'cli', 'main.ts'), '\n')
  expect(build(checkout).stdout).toBe('Built: program.\n')
  expect(npx()).toMatchObject({ status: 0, stdout: `${version}\n` })
})

test.each(['program', 'portal', 'office'] as const)(
  'every source file of the %s is one of its build inputs',
  (part) => {
    const maps = filesBelow('dist').filter((path) => path.endsWith('.js.map'))
    const applications = ['portal', 'office']
    const partOf = (path: string) => applications.find((name) => path.startsWith(join('dist', name))) ?? 'program'
    const own = maps.filter((path) => partOf(path) === part)
    const sources = own.flatMap((path) => {
      const { sources: listed } = JSON.parse(readFileSync(path, 'utf8')) as { sources: string[] }
      return listed.map((source) => join(path, '..', source)).filter((source) => /^(?:src|web)\//.test(source))
    })
    expect(sources.length).toBeGreaterThan(50)
    const { inputs } = parts[part]
    expect(sources.filter((source) => !inputs.some((input) => source.startsWith(`${input}/`)))).toEqual([])
  },
)

test('without development packages nothing is built and the install succeeds; the program explains how to build it', async () => {
  const checkout = await newCheckout()
  expect(build(checkout)).toEqual({
    status: 0,
    stdout: 'waybill: not building dist/, because the development packages are not installed.\n',
    stderr: '',
  })
  expect(runIn(checkout, process.execPath, 'bin/waybill.cjs', 'serve')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Waybill is not built: run `npm ci && npm run build`, which needs the development packages.\n',
  })
})

// With a real old Node in `npm run smoke`.
test('an unsupported Node version gets the required version, from the program and from the build', async () => {
  const pretend = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"18.20.8"})'
  const run = (script: string) => runIn('.', process.execPath, '--import', pretend, script)
  expect(run('bin/waybill.cjs')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Waybill needs Node 20.12 or later; this is Node 18.20.8.\n',
  })
  expect(run('scripts/build.mjs')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Building Waybill needs Node 20.19 or 22.12 or later; this is Node 18.20.8.\n',
  })
})
