import { readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { tryToListen } from '../listen-address.js'
import type { Settings } from '../settings.js'
import { type Finding, ok, skipped, warning, wrong } from './finding.js'

/** Checks Node, memory and limits of this machine. */
export async function checkMachine(settings: Settings): Promise<Finding[]> {
  return [nodeFinding(process.versions.node), memoryFinding(settings, availableMemory()), await checkFileLimit()]
}

const minNode = [20, 12] as const

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isGood = major > minNode[0] || (major === minNode[0] && minor >= minNode[1])
  if (isGood) return ok('node', version)
  return wrong('node', `${version} is too old`, `install Node ${minNode.join('.')} or newer`)
}

// The limit of a container may be lower than the memory of its host.
function availableMemory(): number {
  const limit = process.constrainedMemory() ?? 0
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

// Peak memory of a process without its response cache, as measured (docs/performance.md).
const processBytes = 300e6

function memoryFinding({ workers, cacheBytes }: Settings, memory: number): Finding {
  const needed = workers * (cacheBytes + processBytes)
  const what = `${workers} x ${Math.round((cacheBytes + processBytes) / 1e6)} MB needed, ${Math.round(memory / 1e6)} MB available`
  if (needed < memory * 0.8) return ok('memory', what)
  return warning('memory', what, 'lower WAYBILL_WORKERS or WAYBILL_RESPONSE_CACHE')
}

const minOpenFiles = 4096

async function checkFileLimit(): Promise<Finding> {
  // Available on Linux only.
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, most] = /^Max open files\s+\d+\s+(\d+)/m.exec(limits) ?? []
  if (most === undefined) return skipped('open files', 'the limit cannot be determined on this system')
  if (Number(most) >= minOpenFiles) return ok('open files', `the limit is ${most}, including connections`)
  return warning('open files', `the limit is ${most}, including connections`, 'raise ulimit -n')
}

const timeout = 3000

/** Checks the service at its address if it runs, or else whether it could listen there. */
export async function checkAddress({ host, port }: Settings): Promise<Finding> {
  const subject = 'service'
  if (port === 0) return skipped(subject, 'PORT is 0: the port is assigned at the start')
  const place = `${host}:${port}`
  const response = await fetchReadiness(host, port)
  if (response === 'not listening') {
    const error = await tryToListen({ host, port })
    if (!error) return ok(subject, `nothing listens on ${place} yet`)
    return wrong(subject, `it cannot listen on ${place}: ${error.message}`, 'choose another PORT or HOST')
  }
  const { status, detail, problems } = response
  if (status === 'ok') return ok(subject, `it runs on ${place} and is ready`)
  if (status === 'degraded')
    return warning(subject, `it runs on ${place}: ${problems?.join(' ')}`, 'see the finding about documents')
  if (detail !== undefined) return wrong(subject, `it runs on ${place} but is not ready: ${detail}`, 'see its log')
  return wrong(subject, `another program listens on ${place}`, 'stop it, or choose another PORT')
}

type ReadyResponse = { status?: unknown; detail?: string; problems?: string[] }

async function fetchReadiness(host: string, port: number): Promise<ReadyResponse | 'not listening'> {
  // Wildcard addresses cannot be connected to.
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  try {
    const response = await fetch(`http://${name}:${port}/health/ready`, { signal: AbortSignal.timeout(timeout) })
    return (await response.json().catch(() => ({}))) as ReadyResponse
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    // Any other error means that a program listens there.
    return code === 'ECONNREFUSED' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? 'not listening' : {}
  }
}
