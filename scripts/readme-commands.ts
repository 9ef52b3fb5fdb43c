import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../bench/processes.js'
import { until } from '../test/support/program.js'

/** Runs the commands of the README for users of the package, as they are there, in the folder where it is installed. */

type Place = { app: string; data: string; port: number }

/** The folder `data` has the demo data already. */
export async function runReadme(app: string, data: string, emptyFolder: string): Promise<void> {
  const readme = readFileSync(join(app, 'node_modules', 'waybill', 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, text = '']) => text)
  // `npm ci` is for a clone.
  const [start = '', ...commands] = blocks.filter((block) => !block.startsWith('npm ci'))
  assert.equal(start, 'npx waybill sandbox\n')
  const [read = '', order = '', forwarder = '', ...others] = commands
  assert.deepEqual(others, [])

  await whileRunning(start, { app, data, port: await freePort() }, (place) => {
    const [shipment] = JSON.parse(output(read, place)) as { name: string }[]
    assert.ok(shipment?.name)
    const created = output(order, place)
    assert.equal(created.match(/HTTP\/1\.1 201 /g)?.length, 2)
    assert.equal(created.match(/^idempotent-replayed: true/gim)?.length, 1)
    assert.match(created, /"po_number":"PO\/2026\/4711"/)
    assert.match(output(forwarder, place), /\{"svc_shipment_id":/)
  })

  // The service without demo data, on an empty PostgreSQL. The first lines create an account and its key.
  assert.match(readme, /`npx waybill serve` runs the service/)
  const create = forwarder.split('\n').slice(0, 2)
  assert.deepEqual(
    create.map((line) => line.split(' ').slice(2, 4).join(' ')),
    ['account create', 'key create'],
  )
  await whileRunning('npx waybill serve', { app, data: emptyFolder, port: await freePort() }, async (place) => {
    const key = /wb_\w+/.exec(output(create.join('\n'), place))?.[0]
    const url = `http://127.0.0.1:${place.port}/v1/locations`
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    assert.deepEqual([response.status, await response.json()], [200, []])
    assert.equal((await fetch(url)).status, 401)
  })
}

async function whileRunning(command: string, place: Place, use: (place: Place) => void | Promise<void>): Promise<void> {
  // A group of its own, since npx does not pass on signals in all versions.
  const options = { cwd: place.app, env: environmentOf(place), detached: true } as const
  const child = spawn('bash', ['-c', command], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    await until(async () => {
      assert.equal(child.exitCode, null, printed)
      const response = await fetch(`http://127.0.0.1:${place.port}/health/ready`).catch(() => undefined)
      return response?.ok === true
    }, 300_000)
    await use(place)
  } finally {
    stop(child)
    await ended
  }
}

function stop({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGTERM')
}

/** What the commands print. They must succeed, and so must their requests. */
function output(commands: string, place: Place): string {
  const script = `curl() { command curl --silent --show-error --fail-with-body "$@"; }\n${commands}`
  const addressed = script.replaceAll('127.0.0.1:4010', `127.0.0.1:${place.port}`)
  const options = { cwd: place.app, env: environmentOf(place), encoding: 'utf8', timeout: 120_000 } as const
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', addressed], options)
  assert.equal(status, 0, `${commands}\n${stdout}${stderr}`)
  return stdout
}

function environmentOf({ data, port }: Place): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, WAYBILL_DATA_DIR: data, PORT: String(port) }
}
