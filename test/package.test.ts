import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
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

test('the package contains what is built, no sources, no tests, and less than 25 MB', () => {
  const paths = packed.files.map(({ path }) => path)
  expect(paths).toContain('dist/library/client.js')
  const strange = paths.filter((path) => !/^(?:bin\/|dist\/|LICENSE$|NOTICE$|README\.md$|package\.json$)/.test(path))
  expect(strange).toEqual([])
  expect(paths.filter((path) => /\.map$|\.tsx?$|\.test\./.test(path) && !path.endsWith('.d.ts'))).toEqual([])
  expect(packed.size).toBeLessThan(25_000_000)
})

test('publint and Are The Types Wrong find nothing', async () => {
  const data = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength)
  const { messages } = await publint({ pack: { tarball: data } })
  expect(messages).toEqual([])
  const checked = await checkPackage(createPackageFromTarballData(tarball))
  const problems = checked.types === false ? ['no types'] : checked.problems
  // Node before 12 knew no `exports`; and `require` of these modules needs Node 20.19 or 22.12.
  const modern = problems.filter(
    (problem) =>
      typeof problem === 'string' ||
      (problem.kind !== 'CJSResolvesToESM' && !('resolutionKind' in problem && problem.resolutionKind === 'node10')),
  )
  expect(modern).toEqual([])
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
  const compile = (...args: string[]) => {
    const tsc = resolve('node_modules/typescript/bin/tsc')
    const flags = ['--noEmit', '--strict', '--target', 'es2022', ...args]
    const { stdout } = spawnSync(process.execPath, [tsc, ...flags], { cwd: app, encoding: 'utf8' })
    return stdout
  }
  expect(compile('--module', 'nodenext', '--types', 'node', '--skipLibCheck', 'client.ts', 'testing.ts')).toBe('')
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
    const imports = [...readFileSync(`dist/library/${name}.js`, 'utf8').matchAll(/^import .*from "([^"]+)"/gm)]
    const allowed = name === 'testing' ? /^node:/ : /^\.\//
    expect(imports.filter(([, from = '']) => !allowed.test(from))).toEqual([])
  }
})
