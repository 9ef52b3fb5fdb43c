import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultyDatabase, openFaultyDatabase } from '../soak/database.js'

/** Runs the images as a careful operator would, and checks that they work: read-only, without capabilities, not as root. */

type Run = (command: string, ...args: string[]) => string

const hardened = [
  '--read-only',
  '--tmpfs=/tmp',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--network=host',
  '--no-healthcheck',
  // What a container may ask for inside of another one.
  '--ulimit=nofile=1024:1024',
  '--ulimit=nproc=1024:1024',
]
const [sandboxPort, servicePort, previousPort] = [4189, 4188, 4187]

type Images = { service: string; sandbox: string; previous: string }

export async function driveImages(images: Images, run: Run): Promise<void> {
  const runtime = run('sh', '-c', 'command -v runc || true')
  const engine = [...(runtime ? ['--runtime', runtime] : []), '--cgroup-manager=cgroupfs']
  const podman = (...args: string[]) => run('podman', ...engine, ...args)
  const started: string[] = []
  const volumes: string[] = []
  const folder = mkdtempSync(join(tmpdir(), 'waybill-image-'))
  // PostgreSQL does not run as root: its user needs access.
  chmodSync(folder, 0o755)
  let database: FaultyDatabase | undefined
  const start = (name: string, image: string, options: string[] = [], command: string[] = []) => {
    const volume = `${name}-${process.pid}`
    volumes.push(volume)
    const id = podman(
      'run',
      '--detach',
      ...hardened,
      `--volume=${volume}:/var/lib/waybill`,
      ...options,
      image,
      ...command,
    )
    started.push(id)
    return id
  }
  const stopped = async (id: string) => {
    const code = Number(podman('wait', id))
    if (code !== 0) throw new Error(`exited with ${code}:\n${podman('logs', id)}`)
  }
  try {
    const demo = start('waybill-sandbox', images.sandbox, [`--env=PORT=${sandboxPort}`])
    await ready(sandboxPort, () => podman('logs', demo))
    const key = /^ {2}demo +(\S+)/m.exec(podman('logs', demo))?.[1]
    const listed = await fetch(`http://127.0.0.1:${sandboxPort}/v1/shipments?take=1`, {
      headers: { authorization: `Bearer ${key}` },
    })
    if (!listed.ok) throw new Error(`the sandbox responds with ${listed.status}`)
    confined(podman, demo)
    podman('kill', '--signal=TERM', demo)
    await stopped(demo)
    console.log('sandbox: serves demo data, read-only and without root; ends at SIGTERM')

    database = await openFaultyDatabase('postgres', folder)
    const url = database.env.DATABASE_URL
    const environment = [
      `--env=DATABASE_URL=${url}`,
      '--env=WAYBILL_WAIT_FOR_DATABASE=60',
      '--env=WAYBILL_RATE_LIMIT=0',
    ]
    const command = (id: string, ...args: string[]) => podman('exec', id, 'node', 'bin/waybill.cjs', ...args)

    // The previous image stores data, and serves it until this one, which migrates the database, has taken over.
    const leaving = start('waybill-previous', images.previous, [`--env=PORT=${previousPort}`, ...environment])
    await ready(previousPort, () => podman('logs', leaving))
    command(leaving, 'account', 'create', 'image', '--name', 'Image')
    const customer =
      /wb_\S+/.exec(command(leaving, 'key', 'create', '--account', 'image', '--name', 'Image'))?.[0] ?? ''
    const before = startWrites(customer, previousPort)
    await sleep(3000)
    const serving = start('waybill-service', images.service, [`--env=PORT=${servicePort}`, ...environment])
    await ready(servicePort, () => podman('logs', serving))
    const load = startWrites(customer, servicePort)
    await sleep(1000)
    podman('kill', '--signal=TERM', leaving)
    const old = await before()
    await stopped(leaving)
    const found = await ordersAt(servicePort, customer)
    const missing = old.written.filter((reference) => !found.has(reference))
    if (old.written.length === 0 || old.failed > 0 || missing.length > 0)
      throw new Error(
        `upgrade: ${old.written.length} orders written, ${missing.length} lost, ${old.failed} requests failed`,
      )
    console.log(
      `upgrade from ${images.previous} under load: ${old.written.length} orders, none lost, ${old.cut} requests cut`,
    )

    await sleep(2000)
    podman('kill', '--signal=TERM', serving)
    const { written, cut, failed } = await load()
    await stopped(serving)
    if (written.length === 0 || failed > 0)
      throw new Error(`SIGTERM under load: ${written.length} orders written, ${failed} requests failed`)
    console.log(`service: with PostgreSQL; SIGTERM under load: ${written.length} orders written, ${cut} requests cut`)
  } finally {
    await database?.close()
    rmSync(folder, { recursive: true, force: true })
    for (const id of started) run('podman', 'rm', '--force', '--time=1', id)
    for (const volume of volumes) run('podman', 'volume', 'rm', '--force', volume)
  }
}

async function ready(port: number, logs: () => string): Promise<void> {
  for (let attempt = 0; attempt < 240; attempt += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    if (response?.ok) return
    await sleep(1000)
  }
  throw new Error(`not ready after four minutes:\n${logs()}`)
}

/** Not root, no writable program, no package manager, a health check that succeeds. */
function confined(podman: (...args: string[]) => string, id: string): void {
  const program = `
    const fs = require('node:fs')
    if (process.getuid() !== 10001) throw new Error('runs as ' + process.getuid())
    if (!/CapEff:\\s+0+\\n/.test(fs.readFileSync('/proc/self/status', 'utf8'))) throw new Error('has capabilities')
    for (const path of ['/usr/local/bin/npm', '/usr/local/bin/npx', '/usr/bin/apt-get', '/usr/bin/dpkg']) if (fs.existsSync(path)) throw new Error(path)
    try { fs.writeFileSync('/waybill/x', '') } catch (error) { if (error.code === 'EROFS') process.exit(0) }
    throw new Error('the program can be overwritten')`
  podman('exec', id, 'node', '-e', program)
  const inspected = JSON.parse(podman('inspect', '--type=image', podman('inspect', '--format={{.Image}}', id)))
  // Docker, and podman.
  const [{ Config, Healthcheck = Config?.Healthcheck } = {}] = inspected as {
    Config?: { Healthcheck?: { Test: string[] } }
    Healthcheck?: { Test: string[] }
  }[]
  const [kind, ...test] = Healthcheck?.Test ?? []
  if (kind !== 'CMD') throw new Error('the image has no health check')
  podman('exec', id, ...test)
}

type Written = { written: string[]; cut: number; failed: number }

/**
 * Creates orders until the service is gone. A connection that is refused, or closed between two requests, has not failed: a client
 * repeats such a request, with its idempotency key, at another process.
 */
function startWrites(key: string, port: number): () => Promise<Written> {
  const result: Written = { written: [], cut: 0, failed: 0 }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  let drawn = 0
  const client = async () => {
    for (;;) {
      drawn += 1
      const reference = `${port}-${drawn}`
      const body = JSON.stringify({ reference, product_lines: [{ ordered_quantity: 1, product: { sku: 'LAMP' } }] })
      try {
        const response = await fetch(`http://127.0.0.1:${port}/v1/purchaseOrders`, { method: 'POST', headers, body })
        await response.text()
        if (response.ok) result.written.push(reference)
        // Refused while it stops, as the readiness probe is.
        else if (response.status !== 503) result.failed += 1
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string }
        if (code === 'ECONNREFUSED') return
        if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') result.cut += 1
        else result.failed += 1
      }
    }
  }
  const all = Promise.all(Array.from({ length: 10 }, client))
  return async () => {
    await all
    return result
  }
}

async function ordersAt(port: number, key: string): Promise<Set<string>> {
  const found = new Set<string>()
  for (let skip = 0; ; skip += 100) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/purchaseOrders?take=100&skip=${skip}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const page = (await response.json()) as { po_number: string }[]
    for (const { po_number } of page) found.add(po_number)
    if (page.length < 100) return found
  }
}
