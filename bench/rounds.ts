import { setTimeout as sleep } from 'node:timers/promises'
import type { DataAccount } from './dataset.js'
import { type Bench, makeConditional, measure, type Prepared, prepareLoad, type Runner } from './measure.js'
import type { Participant } from './participants.js'
import { cpuSecondsWithDescendants, isRunning } from './processes.js'
import type { Measurement, Skipped } from './results.js'
import { isInTarget } from './targets.js'
import { type CacheState, createWorkloads, drawQueries, type Workload } from './workloads.js'

/** In each round every participant is measured in every workload, one right after the other. */

export type Rounds = {
  bench: Bench
  participants: Participant[]
  workloads: Workload[]
  rounds: number
  isQuick: boolean
  /** Only what a target needs. */
  onlyTargets: boolean
  accounts: DataAccount[]
  skipped: Skipped[]
}

export async function runRounds(given: Rounds): Promise<Measurement[]> {
  const { bench, participants, workloads, rounds, isQuick, skipped } = given
  const isWanted = given.onlyTargets ? isNeeded : () => true
  const measurements: Measurement[] = []
  const prepared = new Map<string, Prepared | 'skipped'>()
  const ended = new Set<Participant>()
  // Round 0 is not counted: a server that was just started is not as fast as it will be.
  for (let round = isQuick ? 1 : 0; round <= rounds; round += 1) {
    for (const workload of workloads) {
      for (const cache of workload.caches) {
        const measured = participants.filter(
          (each) => takesPart(each, workload, cache) && isWanted(each, workload, cache),
        )
        // Each is the first in some rounds.
        for (const participant of rotated(measured, round)) await take(participant, workload, cache, round)
      }
    }
    await bench.server.checkpoint()
  }
  return measurements

  async function take(participant: Participant, workload: Workload, cache: CacheState, round: number): Promise<void> {
    const name = `${participant.name} | ${workload.name} | ${cache}`
    const runner = runnerOf(participant, workload, cache)
    if (ended.has(participant) || !runner) return
    try {
      const ready = prepared.get(name) ?? (await prepare(participant, runner, workload, cache))
      prepared.set(name, ready)
      if (ready === 'skipped') return
      await untilIdle()
      const figures = await measure(bench, runner, ready)
      add({ server: participant.name, workload: workload.name, cache, round, ...figures })
    } catch (error) {
      prepared.set(name, 'skipped')
      if (!runner.running.pids.every(isRunning)) {
        ended.add(participant)
        skip(participant, workload, `its process ended in round ${round}; it is not measured any further`, true)
        return
      }
      skip(participant, workload, error instanceof Error ? error.message : String(error), true)
    }
  }

  async function prepare(
    participant: Participant,
    runner: Runner,
    workload: Workload,
    cache: CacheState,
  ): Promise<Prepared | 'skipped'> {
    const { running, server } = runner
    const requests = drawQueries(workload, given.accounts, cache).flatMap((query) => server.request(query) ?? [])
    if (requests.length === 0) return skip(participant, workload, 'it does not support these requests', false)
    if (workload.isConditional) await makeConditional(running.url, requests)
    const fillsCache = hasCache(participant, cache) && requests.some(({ method }) => method === 'GET')
    return prepareLoad(bench, runner, requests, workload.connections ?? bench.connections, {
      times: isQuick ? Number(quickWarmUps[cache].has(workload.name)) : Number.POSITIVE_INFINITY,
      requests: fillsCache ? warmUpRequests(participant, requests.length) : 0,
    })
  }

  // A server may still process abandoned requests of the previous measurement, or evaluate the exceptions of new data.
  async function untilIdle(): Promise<void> {
    const pids = participants.flatMap(({ runners: { warm, cold, empty } }) =>
      [warm, cold, ...(empty ? [empty] : [])].flatMap(({ running }) => running.pids),
    )
    const used = () => bench.server.cpuSeconds() + cpuSecondsWithDescendants([...new Set(pids)].filter(isRunning))
    for (let check = 0; check < (isQuick ? mostQuickChecks : mostChecks); check += 1) {
      const before = used()
      await sleep(checkInterval)
      if (used() - before <= idleCpuSeconds) return
    }
  }

  function skip({ name }: Participant, workload: Workload, why: string, isFailure: boolean): 'skipped' {
    console.error(`${name}, ${workload.name}: ${why}`)
    skipped.push({ server: name, workload: workload.name, why, isFailure })
    return 'skipped'
  }

  function add(measurement: Measurement): void {
    if (measurement.round > 0) measurements.push(measurement)
    const { server, workload, cache, round, rate, p50, p99 } = measurement
    const label = `${round}/${rounds} ${workload}, ${cache}, ${server}`
    console.log(
      `${label.padEnd(80)} ${rate.toFixed(0).padStart(7)}/s  p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
    )
  }
}

const checkInterval = 100
const mostChecks = 3000
const mostQuickChecks = 300
// In one interval. /proc counts hundredths.
const idleCpuSeconds = 0.02

function rotated<Item>(items: Item[], by: number): Item[] {
  const from = by % Math.max(1, items.length)
  return [...items.slice(from), ...items.slice(0, from)]
}

// A quick run warms up once, where the response cache matters or a server gets its first requests. A full run warms
// up before each measurement.
const quickWarmUps: Record<CacheState, Set<string>> = {
  warm: new Set(['one shipment', 'list of 10', '304', 'mix 95/5', ...createWorkloads.map(({ name }) => name)]),
  cold: new Set(['one shipment']),
}

// Two processes get no other requests: both have to be optimised by V8 as far as the single process is by then.
const requestsForTwo = 30_000

function warmUpRequests({ kind }: Participant, requests: number): number {
  return kind === 'more processes' ? Math.max(requestsForTwo, requests) : requests
}

function hasCache({ kind }: Participant, cache: CacheState): boolean {
  return cache === 'warm' && (kind === 'Waybill' || kind === 'more processes')
}

function runnerOf({ runners }: Participant, { database }: Workload, cache: CacheState): Runner | undefined {
  return database === 'empty' ? runners.empty : runners[cache]
}

const onFloor = new Set(['one shipment', 'list of 10', 'list of 100', 'list of 100 at skip=10000', 'mix 95/5'])

function takesPart({ kind }: Participant, { name, isConditional }: Workload, cache: CacheState): boolean {
  if (kind === 'more processes') return name === 'list of 10' && cache === 'warm'
  if (isConditional) return kind === 'Waybill'
  return kind !== 'floor' || onFloor.has(name)
}

function isNeeded({ name, kind }: Participant, workload: Workload, cache: CacheState): boolean {
  // A comparison server without a target is measured in one workload.
  const isCompared = kind === 'comparison' && workload.name === 'list of 10' && cache === 'warm'
  return isCompared || isInTarget(name, workload.name, cache)
}
