import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/program.js'

/** The package as npm packs it. `npm run smoke` installs it into an empty folder and uses it there. */

type Packed = { size: number; filename: string; files: { path: string }[] }

const folder = await temporaryFolder()
// Without scripts: the tests run on what is built.
const listed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
})
const [packed] = Object.values(JSON.parse(listed) as Record<string, Packed>) as [Packed]
const tarball = readFileSync(join(folder, packed.filename))

const paths = packed.files.map(({ path }) => path)

test('the package contains what is built and its documentation, no sources, no tests, and less than 25 MB', () => {
  const expected = ['dist/library/client.js', 'dist/library/client.cjs', 'deploy/waybill.service', 'docs/client.md']
  expect(paths).toEqual(expect.arrayContaining(expected))
  const folders = /^(?:bin|dist|docs|deploy)\//
  // Not Dockerfile and compose.yaml, which build from sources.
  const files = /^(?:[A-Z]+\.md|LICENSE|NOTICE|openapi\.json|postman\/waybill\.json|package\.json)$/
  expect(paths.filter((path) => !folders.test(path) && !files.test(path))).toEqual([])
  // The example is one of the feed's page.
  const sources = paths.filter((path) => /\.map$|\.tsx?$|\.test\./.test(path) && !path.endsWith('.d.ts'))
  expect(sources).toEqual(['docs/examples/mirror.ts'])
  expect(packed.size).toBeLessThan(25_000_000)
})

test('every link of the README, and of the pages that it leads to, has its target in the package', () => {
  const pages = paths.filter((path) => path.endsWith('.md'))
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/deploy.md']))
  for (const page of pages) {
    const text = readFileSync(page, 'utf8').replaceAll(/^ *```[^]*?^ *```/gm, '')
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
      if (/^[a-z]+:/.test(link)) continue
      const target = join(dirname(page), link)
      expect(
        paths.some((path) => path === target || path.startsWith(`${target}/`)),
        `${page}: ${link}`,
      ).toBe(true)
    }
  }
})

test('publint and Are The Types Wrong find nothing', async () => {
  const data = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength)
  const { messages } = await publint({ pack: { tarball: data } })
  expect(messages).toEqual([])
  const checked = await checkPackage(createPackageFromTarballData(tarball))
  const problems = checked.types === false ? ['no types'] : checked.problems
  expect(problems).toEqual([])
})

test('a program that imports the package compiles, for Node and for browsers', async () => {
  const app = join(folder, 'app')
  const modules = join(app, 'node_modules')
  mkdirSync(join(modules, 'waybill'), { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', join(modules, 'waybill'), '--strip-components=1'])
  // The types of the client refer to it; it is one of the package's dependencies.
  symlinkSync(resolve('node_modules/typebox'), join(modules, 'typebox'))
  symlinkSync(resolve('node_modules/@types'), join(modules, '@types'))
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(app, 'client.ts'),
    `import { createClient, WaybillError } from 'waybill/client'
import { verifyWebhook } from 'waybill/webhooks'

const waybill = createClient({ baseUrl: '', retries: 3 })
for await (const shipment of waybill.listShipments.each({ signal: AbortSignal.timeout(1) })) {
  const status: 'booked' | 'in_progress' | 'finished' | 'cancelled' | 'draft' | string = shipment.status ?? ''
  // @ts-expect-error: there is no such field
  console.log(status, shipment.colour)
}
const feed = waybill.listEvents.each({ query: { after: 'now', wait: 30 } })
for await (const { object } of feed) console.log(object.id satisfies string, feed.cursor satisfies string | undefined)
// @ts-expect-error: an order has lines
await waybill.createPurchaseOrder({ body: { reference: 'A' } }).catch((error: unknown) => {
  if (error instanceof WaybillError && error.code === 'invalid_request') console.log(error.errors[0]?.pointer)
  // @ts-expect-error: there is no such code
  if (error instanceof WaybillError && error.code === 'invalid_requests') console.log('never')
})
await verifyWebhook('', new Headers(), { secret: '' })
`,
  )
  writeFileSync(
    join(app, 'testing.ts'),
    `import { startSandbox } from 'waybill/testing'
const { url, key, close } = await startSandbox({ port: 0 })
console.log(url satisfies string, key satisfies string)
await close()
`,
  )
  const compile = (...args: string[]) => compileBy('typescript', ...args)
  const compileBy = (compiler: string, ...args: string[]) => {
    const tsc = resolve('node_modules', compiler, 'bin/tsc')
    const flags = ['--noEmit', '--strict', '--target', 'es2022', ...args]
    const { stdout } = spawnSync(process.execPath, [tsc, ...flags], { cwd: app, encoding: 'utf8' })
    return stdout
  }
  const ofNode = ['--types', 'node', '--skipLibCheck']
  expect(compile('--module', 'nodenext', ...ofNode, 'client.ts', 'testing.ts')).toBe('')
  writeFileSync(
    join(app, 'required.cts'),
    `import client = require('waybill/client')
import { verifyWebhook } from 'waybill/webhooks'
import { startSandbox } from 'waybill/testing'
// @ts-expect-error: there is no such option
export const waybill = client.createClient({ baseUrl: '', color: 1 })
export const all = [verifyWebhook, startSandbox satisfies (options?: { port: number }) => Promise<{ url: string }>]
`,
  )
  expect(compile('--module', 'nodenext', ...ofNode, 'required.cts')).toBe('')
  // With the declarations themselves, and as compilers before 5.8 do it: ES modules cannot be required.
  const strict = ['--module', 'node16', '--types', 'node', '--skipLibCheck', 'false', 'required.cts']
  expect(compileBy('@arethetypeswrong/core/node_modules/typescript', ...strict)).toBe('')
  // `require` gets what needs no newer Node: modules that are CommonJS themselves.
  const required = `
    const { createClient, WaybillError } = require('waybill/client')
    const { verifyWebhook, WebhookVerificationError } = require('waybill/webhooks')
    const { startSandbox } = require('waybill/testing')
    const names = ['client', 'webhooks', 'testing'].map((name) => require.resolve('waybill/' + name).split('/').at(-1))
    verifyWebhook('{}', {}, { secret: 'whsec_AAAA' }).catch((error) => {
      const found = [typeof createClient({ baseUrl: '' }).listShipments, typeof startSandbox, new WaybillError('', {}) instanceof Error]
      console.log(...names, ...found, error instanceof WebhookVerificationError)
    })`
  expect(execFileSync(process.execPath, ['--eval', required], { cwd: app, encoding: 'utf8' })).toBe(
    'client.cjs webhooks.cjs testing.cjs function function true true\n',
  )
  // Also checks the declarations themselves.
  const browser = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom', '--types', '']
  expect(compile(...browser, '--skipLibCheck', 'false', 'client.ts')).toBe('')
})

test('the client has at most 12 KB, and neither it nor the others import a package', async () => {
  const bundle = await rolldown({ input: 'dist/library/client.js', platform: 'browser' })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  expect(Buffer.byteLength(output[0].code)).toBeLessThan(12_000)
  for (const name of ['client', 'webhooks', 'testing']) {
    const allowed = name === 'testing' ? /^(?:node:|url$)/ : /^\.\//
    for (const [extension, statement] of [
      ['js', /^import .*from "([^"]+)"/gm],
      ['cjs', /\brequire\("([^"]+)"\)/g],
    ] as const) {
      const imports = [...readFileSync(`dist/library/${name}.${extension}`, 'utf8').matchAll(statement)]
      expect(imports.filter(([, from = '']) => !allowed.test(from))).toEqual([])
    }
  }
})
