import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import type { Settings } from '../settings.js'
import { type Finding, ok, skipped, warning, wrong } from './finding.js'

/** The machine that it runs on, and the address that it is to listen on. */
export async function checkMachine(settings: Settings): Promise<Finding[]> {
  return [judgeNode(process.versions.node), judgeMemory(settings, memoryOf()), await checkFiles()]
}

const leastNode = [20, 12] as const

function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isGood = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])
  if (isGood) return ok('node', version)
  return wrong('node', `${version} is too old`, `install Node ${leastNode.join('.')} or newer`)
}

// A container may have less than its machine.
function memoryOf(): number {
  const limit = process.constrainedMemory() ?? 0
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

// What a process was seen to take at most, beside the answers that it remembers (docs/performance.md).
const ofProcess = 300e6

function judgeMemory({ workers, answerMemory }: Settings, memory: number): Finding {
  const needed = workers * (answerMemory + ofProcess)
  const what = `${workers} x ${Math.round((answerMemory + ofProcess) / 1e6)} MB are needed, of ${Math.round(memory / 1e6)} MB`
  if (needed < memory * 0.8) return ok('memory', what)
  return warning('memory', what, 'lower WAYBILL_WORKERS or WAYBILL_ANSWER_MEMORY')
}

const fewFiles = 4096

async function checkFiles(): Promise<Finding> {
  // Elsewhere than on Linux nobody tells.
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, most] = /^Max open files\s+\d+\s+(\d+)/m.exec(limits) ?? []
  if (most === undefined) return skipped('open files', 'the limit is not known here')
  if (Number(most) >= fewFiles) return ok('open files', `${most} can be open, connections among them`)
  return warning('open files', `no more than ${most} connections and files can be open`, 'raise ulimit -n')
}

const patience = 3000

/** Whether a Waybill listens there already, and how it is; or whether one could. */
export async function checkAddress({ host, port }: Settings): Promise<Finding> {
  const subject = 'service'
  if (port === 0) return skipped(subject, 'PORT is 0: it gets a port when it starts')
  const place = `${host}:${port}`
  const response = await askReady(host, port)
  if (response === 'nobody') {
    const error = await tryToListen(host, port)
    if (!error) return ok(subject, `nothing listens on ${place} yet`)
    return wrong(subject, `it could not listen on ${place}: ${error.message}`, 'choose another PORT or HOST')
  }
  const { status, detail, problems } = response
  if (status === 'ok') return ok(subject, `it runs on ${place}, and is ready`)
  if (status === 'degraded') return warning(subject, `it runs on ${place}: ${problems?.join(' ')}`, 'see documents')
  if (detail !== undefined) return wrong(subject, `it runs on ${place}, and is not ready: ${detail}`, 'see its log')
  return wrong(subject, `something else listens on ${place}`, 'stop that, or choose another PORT')
}

type Answer = { status?: unknown; detail?: string; problems?: string[] }

async function askReady(host: string, port: number): Promise<Answer | 'nobody'> {
  // An address to listen on that means every one of this machine.
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  try {
    const response = await fetch(`http://${name}:${port}/health/ready`, { signal: AbortSignal.timeout(patience) })
    return (await response.json().catch(() => ({}))) as Answer
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    // Whatever else went wrong, somebody was there.
    return code === 'ECONNREFUSED' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? 'nobody' : {}
  }
}

function tryToListen(host: string, port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
