import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Another client of the service, in a process of its own: the sender is too busy to measure. It sends one request after
 * another. On a message it reports its longest wait since the last one.
 */

export type Observed = { requests: number; longest: number; failures: string[] }

const { baseUrl, key } = JSON.parse(process.argv[2] ?? '') as { baseUrl: string; key: string }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const pause = 5

let observed: Observed = { requests: 0, longest: 0, failures: [] }
let isAsked = false

process.on('message', () => {
  isAsked = true
})
process.on('disconnect', () => process.exit())

for (;;) {
  const startedAt = performance.now()
  const status = await statusOfRead()
  observed.requests += 1
  observed.longest = Math.max(observed.longest, performance.now() - startedAt)
  if (status !== 200) observed.failures.push(`a read got ${status}`)
  if (isAsked) {
    process.send?.(observed)
    observed = { requests: 0, longest: 0, failures: [] }
    isAsked = false
  }
  await sleep(pause)
}

function statusOfRead(): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}` }
    const sent = request(`${baseUrl}/v1/locations`, { headers, agent, timeout: 120_000 }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', (error) => resolve(error.message))
    })
    sent.once('timeout', () => sent.destroy(new Error('no response within 2 minutes')))
    sent.once('error', (error) => resolve(error.message))
    sent.end()
  })
}
