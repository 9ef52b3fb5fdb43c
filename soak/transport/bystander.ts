import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A normal client during an attack: it reads, and sometimes writes. */
export class Bystander {
  readonly #baseUrl: string
  readonly #key: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  readonly #waits: { at: number; milliseconds: number }[] = []
  readonly written: string[] = []
  readonly failures: string[] = []
  #isOver = false
  #running: Promise<void> = Promise.resolve()

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl
    this.#key = key
  }

  start({ writes = true } = {}): void {
    this.#running = this.#run(writes)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running
    // Acknowledged writes exist.
    for (const reference of this.written) {
      const { status } = await this.#send('GET', `/v1/purchaseOrders/${reference}`)
      if (status !== 200) this.failures.push(`order ${reference} was acknowledged, and its read returns ${status}`)
    }
    this.#agent.destroy()
  }

  get requests(): number {
    return this.#waits.length
  }

  /** Milliseconds: the longest wait with its start, and the 99th percentile. */
  get waits(): { longest: number; longestAt: number; slowest: number } {
    const sorted = this.#waits.toSorted((one, other) => one.milliseconds - other.milliseconds)
    const last = sorted.at(-1)
    const slowest = sorted[Math.floor(sorted.length * 0.99)]?.milliseconds ?? 0
    return { longest: last?.milliseconds ?? 0, longestAt: last?.at ?? 0, slowest }
  }

  async #run(writes: boolean): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const [at, startedAt] = [Date.now(), performance.now()]
      const isWrite = writes && turn % 25 === 0
      const reference = `B-${turn}`
      const order = { reference, product_lines: [{ ordered_quantity: 1, product: { sku: 'S' } }] }
      const { status } = await (isWrite
        ? this.#send('POST', '/v1/purchaseOrders', JSON.stringify(order))
        : this.#send('GET', turn % 2 ? '/v1/purchaseOrders?take=10' : '/v1/locations'))
      this.#waits.push({ at, milliseconds: performance.now() - startedAt })
      if (status !== (isWrite ? 201 : 200)) this.failures.push(`${isWrite ? 'a write' : 'a read'} got ${status}`)
      else if (isWrite) this.written.push(reference)
      await sleep(20)
    }
  }

  #send(method: string, path: string, body?: string): Promise<{ status: number | string }> {
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    return new Promise((resolve) => {
      const sent = request(
        this.#baseUrl + path,
        { method, headers, agent: this.#agent, timeout: 30_000 },
        (response) => {
          response.resume()
          response.once('end', () => resolve({ status: response.statusCode ?? 0 }))
          response.once('error', (error) => resolve({ status: error.message }))
        },
      )
      sent.once('timeout', () => sent.destroy(new Error('no response within 30 s')))
      sent.once('error', (error) => resolve({ status: error.message }))
      sent.end(body)
    })
  }
}
