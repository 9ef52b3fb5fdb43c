import { Counter, type Registry } from 'prom-client'
import { addHistogram, type Series } from './histogram.js'

/** The interface of a request; `other` for pages, files, health and downloads. */
export type Interface = 'public' | 'operator' | 'portal' | 'office' | 'other'

const interfaceAt: Record<string, Interface> = {
  v1: 'public',
  ops: 'operator',
  portal: 'portal',
  office: 'office',
}
const interfaces: Interface[] = [...Object.values(interfaceAt), 'other']

// Exported as 0 from the start: an increase from absent to 1 would not trigger alerts.
const alertedCodes = ['internal_error', 'service_unavailable', 'rate_limited', 'invalid_key', 'invalid_signature']

export function interfaceOf(url: string): Interface {
  const [, first = ''] = /^\/(v1|ops|portal|office(?=\/v1))(?:[/?]|$)/.exec(url) ?? []
  return interfaceAt[first] ?? 'other'
}

/** The outcome of a request. Labels have few values and contain no client input. */
export type RequestOutcome = {
  interface: Interface
  operation: string
  method: string
  status: number
  /** The code of a refusal. */
  code?: string | undefined
  /** Absent for event streams. */
  seconds?: number | undefined
  isAborted: boolean
}

export type RequestMetrics = { count(outcome: RequestOutcome): void }

type Labels = Record<string, string | number>
type Total = { labels: Labels; count: number }
type Totals = Map<string, Total>
type Tally = Total & { durations: Series }

/** Counts and durations of requests. */
export function addRequestMetrics(registry: Registry): RequestMetrics {
  const tallies = new Map<string, Tally>()
  const durations = new Map<string, Series>()
  const refusals: Totals = new Map()
  const aborted: Totals = new Map()
  const histogram = addHistogram(registry, {
    name: 'waybill_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })
  addTotals(registry, tallies, {
    name: 'waybill_requests_total',
    help: 'Completed requests by response status; 499: the client disconnected before the response.',
    labelNames: ['interface', 'operation', 'method', 'status'],
  })
  addTotals(registry, refusals, {
    name: 'waybill_refusals_total',
    help: 'Refused requests by error code.',
    labelNames: ['interface', 'code'],
  })
  addTotals(registry, aborted, {
    name: 'waybill_requests_aborted_total',
    help: 'Requests whose client disconnected before the end of the response.',
    labelNames: ['interface'],
  })

  for (const each of interfaces) {
    totalOf(aborted, { interface: each })
    for (const code of alertedCodes) totalOf(refusals, { interface: each, code })
  }

  function tallyOf(outcome: RequestOutcome): Tally {
    const name = `${outcome.interface} ${outcome.operation} ${outcome.method} ${outcome.status}`
    const known = tallies.get(name)
    if (known) return known
    const { interface: side, operation, method, status } = outcome
    const labels = { interface: side, operation, method, status }
    const tally = { labels, count: 0, durations: durationsOf(side, operation, `${Math.floor(status / 100)}xx`) }
    tallies.set(name, tally)
    return tally
  }

  // Durations have fewer labels than counts: methods and statuses share a series.
  function durationsOf(side: Interface, operation: string, status_class: string): Series {
    const name = `${side} ${operation} ${status_class}`
    const series = durations.get(name) ?? histogram.seriesOf({ interface: side, operation, status_class })
    durations.set(name, series)
    return series
  }

  return {
    count(outcome) {
      const tally = tallyOf(outcome)
      tally.count += 1
      if (outcome.seconds !== undefined) tally.durations.observe(outcome.seconds)
      if (outcome.code !== undefined) totalOf(refusals, { interface: outcome.interface, code: outcome.code }).count += 1
      if (outcome.isAborted) totalOf(aborted, { interface: outcome.interface }).count += 1
    },
  }
}

function totalOf(totals: Totals, labels: Labels): Total {
  const name = Object.values(labels).join(' ')
  const total = totals.get(name) ?? { labels, count: 0 }
  totals.set(name, total)
  return total
}

// Plain numbers, because the client library would resolve the labels for every response.
function addTotals(
  registry: Registry,
  totals: Map<string, Total>,
  definition: { name: string; help: string; labelNames: string[] },
): void {
  const counter = new Counter({
    ...definition,
    registers: [registry],
    collect() {
      counter.reset()
      for (const { labels, count } of totals.values()) counter.inc(labels, count)
    },
  })
}
