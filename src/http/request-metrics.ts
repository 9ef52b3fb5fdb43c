import { Counter, type Registry } from 'prom-client'
import { addHistogram, type Series } from './kept-histogram.js'

/** The interface that an address belongs to: pages, files, health and downloads are none. */
export type Interface = 'public' | 'operator' | 'portal' | 'other'

const interfaceAt: Record<string, Interface> = { v1: 'public', ops: 'operator', portal: 'portal' }
const interfaces: Interface[] = [...Object.values(interfaceAt), 'other']

// Counted from the start: of a figure that appears with the first failure nobody sees that it has risen.
const alarming = ['internal_error', 'service_unavailable', 'rate_limited', 'invalid_key']

export function interfaceOf(url: string): Interface {
  const [, first = ''] = /^\/(v1|ops|portal)(?:[/?]|$)/.exec(url) ?? []
  return interfaceAt[first] ?? 'other'
}

/** How a request ended. Every label has few values: what a stranger sends is none of them. */
export type MeasuredAnswer = {
  interface: Interface
  operation: string
  method: string
  status: number
  /** That of a refusal. */
  code?: string | undefined
  /** Absent where nobody waited for its end: a stream of events. */
  seconds?: number | undefined
  isAborted: boolean
}

export type RequestMetrics = { count(answer: MeasuredAnswer): void }

type Labels = Record<string, string | number>
type Total = { labels: Labels; count: number }
type Totals = Map<string, Total>
type Tally = Total & { durations: Series }

/** What is asked, what comes of it, and how long it takes. */
export function addRequestMetrics(registry: Registry): RequestMetrics {
  const tallies = new Map<string, Tally>()
  const durations = new Map<string, Series>()
  const refusals: Totals = new Map()
  const aborted: Totals = new Map()
  const histogram = addHistogram(registry, {
    name: 'waybill_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })
  addTotals(registry, tallies, {
    name: 'waybill_requests_total',
    help: 'Requests that have ended, by their answer; 499: the client has left before there was one.',
    labelNames: ['interface', 'operation', 'method', 'status'],
  })
  addTotals(registry, refusals, {
    name: 'waybill_refusals_total',
    help: 'Answers that say no, by their code.',
    labelNames: ['interface', 'code'],
  })
  addTotals(registry, aborted, {
    name: 'waybill_requests_aborted_total',
    help: 'Requests whose client has left before the end of the answer.',
    labelNames: ['interface'],
  })

  for (const each of interfaces) {
    totalOf(aborted, { interface: each })
    for (const code of alarming) totalOf(refusals, { interface: each, code })
  }

  function tallyOf(answer: MeasuredAnswer): Tally {
    const name = `${answer.interface} ${answer.operation} ${answer.method} ${answer.status}`
    const known = tallies.get(name)
    if (known) return known
    const { interface: side, operation, method, status } = answer
    const labels = { interface: side, operation, method, status }
    const tally = { labels, count: 0, durations: durationsOf(side, operation, `${Math.floor(status / 100)}xx`) }
    tallies.set(name, tally)
    return tally
  }

  // Several statuses, and methods, have the same.
  function durationsOf(side: Interface, operation: string, status_class: string): Series {
    const name = `${side} ${operation} ${status_class}`
    const series = durations.get(name) ?? histogram.seriesOf({ interface: side, operation, status_class })
    durations.set(name, series)
    return series
  }

  return {
    count(answer) {
      const tally = tallyOf(answer)
      tally.count += 1
      if (answer.seconds !== undefined) tally.durations.observe(answer.seconds)
      if (answer.code !== undefined) totalOf(refusals, { interface: answer.interface, code: answer.code }).count += 1
      if (answer.isAborted) totalOf(aborted, { interface: answer.interface }).count += 1
    },
  }
}

function totalOf(totals: Totals, labels: Labels): Total {
  const name = Object.values(labels).join(' ')
  const total = totals.get(name) ?? { labels, count: 0 }
  totals.set(name, total)
  return total
}

// They are counted as plain numbers: the client library would work out their labels for every answer.
function addTotals(
  registry: Registry,
  totals: Map<string, Total>,
  described: { name: string; help: string; labelNames: string[] },
): void {
  const counter = new Counter({
    ...described,
    registers: [registry],
    collect() {
      counter.reset()
      for (const { labels, count } of totals.values()) counter.inc(labels, count)
    },
  })
}
