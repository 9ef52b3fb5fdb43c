import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { inject } from 'vitest'
import { type Serving, startServing } from './program.js'

/** `waybill serve` with several workers, on the test database. */
export async function startWorkers(workers: number, env: Record<string, string> = {}): Promise<Serving> {
  return startServing({
    env: {
      DATABASE_URL: inject('databaseUrl'),
      WAYBILL_WORKERS: String(workers),
      WAYBILL_DATABASE_CONNECTIONS: '2',
      WAYBILL_RATE_LIMIT: '0',
      ...env,
    },
  })
}

export type WorkerResponse = { status: number; headers: IncomingHttpHeaders; text: string; worker: string }

/** One keep-alive connection: all of its requests reach the same worker. */
export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #baseUrl: string
  readonly #key: string | undefined

  constructor(baseUrl: string, key?: string) {
    this.#baseUrl = baseUrl
    this.#key = key
  }

  ask(path: string, { method = 'GET', body }: { method?: string; body?: object } = {}): Promise<WorkerResponse> {
    const headers = {
      ...(this.#key !== undefined && { authorization: `Bearer ${this.#key}` }),
      ...(body && { 'content-type': 'application/json' }),
    }
    return new Promise((resolve, reject) => {
      const asked = request(this.#baseUrl + path, { method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode as number,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
            worker: workerOf(response.headers),
          }),
        )
      })
      asked.on('error', reject)
      asked.end(body && JSON.stringify(body))
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

// Request ids start with a random prefix of their process.
function workerOf(headers: IncomingHttpHeaders): string {
  return (headers['x-request-id'] as string).slice(0, 'req_'.length + 12)
}

/** One connection to each worker. */
export async function connectToAll({ baseUrl }: Serving, workers: number, key?: string): Promise<Connection[]> {
  const found = new Map<string, Connection>()
  for (let attempt = 0; found.size < workers; attempt += 1) {
    if (attempt === 20 * workers) throw new Error(`only ${found.size} of ${workers} workers were reached`)
    const connection = new Connection(baseUrl, key)
    const { worker } = await connection.ask('/health/live')
    if (found.has(worker)) connection.close()
    else found.set(worker, connection)
  }
  return [...found.values()]
}

/** The process ids of the current workers of a main process. */
export function workersOf(pid: number): number[] {
  if (process.platform === 'linux') {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  }
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([own, parent]) => (parent === pid ? [own as number] : []))
}

/** The log messages of a program, without those of requests. */
export function messagesOf({ stdout }: Serving): string[] {
  // The last line may be incomplete.
  const lines = stdout().split('\n').slice(0, -1)
  return lines
    .map((text) => (JSON.parse(text) as { msg: string }).msg)
    .filter((message) => message !== 'request completed')
}
