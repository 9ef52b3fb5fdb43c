import { setTimeout as sleep } from 'node:timers/promises'
import { runBareInserts } from './bare-inserts-process.js'
import type { Contender, HttpRequest, Wish } from './contender.js'
import { urlOf } from './database-server.js'
import type { DataAccount } from './dataset.js'
import type { Entrant } from './entrants.js'
import { type Bench, makeConditional, measure, nextNumbers, type Prepared, prepareLoad } from './measure.js'
import { cpuSecondsWithDescendants, isRunning } from './processes.js'
import type { Measurement, Skipped } from './results.js'
import { isInTarget } from './targets.js'
import { drawWishes, type Heat, type Workload } from './workloads.js'

/** Rounds in which everybody has a turn in every workload, one right after the other. */

export type Rounds = {
  bench: Bench
  entrants: Entrant[]
  workloads: Workload[]
  rounds: number
  isQuick: boolean
  /** Only what a target is judged by. */
  onlyTargets: boolean
  accounts: DataAccount[]
  skipped: Skipped[]
}

export async function runRounds(given: Rounds): Promise<Measurement[]> {
  const { bench, entrants, workloads, rounds, isQuick, skipped } = given
  const isWanted = given.onlyTargets ? isJudged : () => true
  const measurements: Measurement[] = []
  const prepared = new Map<string, Prepared | 'skipped'>()
  const gone = new Set<Entrant>()
  // A round that does not count comes first: who was just started is not yet as fast as it will be.
  for (let round = isQuick ? 1 : 0; round <= rounds; round += 1) {
    for (const workload of workloads) {
      for (const heat of workload.heats) {
        // Nobody is always the first.
        const turns = rotated(
          entrants.filter((entrant) => takesPart(entrant, workload, heat) && isWanted(entrant, workload, heat)),
          round,
        )
        for (const entrant of turns) await takeTurn(entrant, workload, heat, round)
      }
      if (workload.name.startsWith('create an order')) await takeBareTurn(workload, round)
    }
    await bench.server.settle()
  }
  return measurements

  async function takeTurn(entrant: Entrant, workload: Workload, heat: Heat, round: number): Promise<void> {
    const name = `${entrant.name} | ${workload.name} | ${heat}`
    const runner = entrant.runner[heat]
    if (gone.has(entrant)) return
    try {
      const ready = prepared.get(name) ?? (await prepare(entrant, workload, heat, name))
      prepared.set(name, ready)
      if (ready === 'skipped') return
      await untilIdle()
      note({ contender: entrant.name, workload: workload.name, heat, round, ...(await measure(bench, runner, ready)) })
    } catch (error) {
      prepared.set(name, 'skipped')
      if (!runner.running.pids.every(isRunning)) {
        gone.add(entrant)
        skip(entrant, workload, `its process ended in round ${round}, and it takes no part in what follows`, true)
        return
      }
      skip(entrant, workload, error instanceof Error ? error.message : String(error), true)
    }
  }

  async function prepare(
    entrant: Entrant,
    workload: Workload,
    heat: Heat,
    name: string,
  ): Promise<Prepared | 'skipped'> {
    const { running, contender } = entrant.runner[heat]
    const wishes = drawWishes(workload, entrant.accounts, heat)
    const requests = requestsOf(contender, wishes)
    if (requests.length === 0) return skip(entrant, workload, 'it cannot be asked that', false)
    if (workload.isConditional) await makeConditional(running.url, requests)
    const connections = workload.connections ?? bench.connections
    const warmUp = {
      times: isQuick ? Number(quickWarmUps[heat].has(workload.name)) : Number.POSITIVE_INFINITY,
      requests:
        keepsAnswers(entrant, heat) && requests.some(({ method }) => method === 'GET')
          ? warmUpOf(entrant, requests)
          : 0,
    }
    const ready = await prepareLoad(bench, entrant.runner[heat], requests, connections, warmUp)
    if (!('alone' in ready)) return ready
    return skip(entrant, workload, `one request alone takes ${ready.alone.toFixed(1)} s (${name})`, false)
  }

  // Who was asked for more than it could answer goes on with it when nobody waits any longer: not at the expense of the next.
  async function untilIdle(): Promise<void> {
    const pids = entrants.flatMap(({ runner }) => [...runner.warm.running.pids, ...runner.cold.running.pids])
    const spent = () => bench.server.cpuSeconds() + cpuSecondsWithDescendants([...new Set(pids)].filter(isRunning))
    for (let look = 0; look < mostLooks; look += 1) {
      const before = spent()
      await sleep(lookEvery)
      if (spent() - before <= idle) return
    }
  }

  function skip(entrant: Entrant, workload: Workload, why: string, isFailure: boolean): 'skipped' {
    console.error(`${entrant.name}, ${workload.name}: ${why}`)
    skipped.push({ contender: entrant.name, workload: workload.name, why, isFailure })
    return 'skipped'
  }

  function note(measurement: Measurement): void {
    if (measurement.round > 0) measurements.push(measurement)
    const { contender, workload, heat, round, rate, p50, p99 } = measurement
    const place = `${round}/${rounds} ${workload}, ${heat}, ${contender}`
    console.log(
      `${place.padEnd(64)} ${rate.toFixed(0).padStart(7)}/s  p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
    )
  }

  async function takeBareTurn(workload: Workload, round: number): Promise<void> {
    const connections = workload.connections ?? bench.connections
    await untilIdle()
    const before = bench.server.cpuSeconds()
    const result = await runBareInserts({
      url: urlOf(bench.server.place('run_bare')),
      accounts: given.accounts.slice(1).map(({ account_id }) => account_id),
      loops: connections,
      seconds: bench.seconds,
      firstNumber: nextNumbers(),
    })
    const perThousand = 1000 / result.requests
    note({
      contender: 'bare INSERTs',
      workload: workload.name,
      heat: 'warm',
      round,
      connections,
      requests: result.requests,
      rate: result.requests / result.seconds,
      p50: result.p50,
      p99: result.p99,
      cpu: Number.NaN,
      databaseCpu: (bench.server.cpuSeconds() - before) * perThousand,
      queries: 1000,
      memory: Number.NaN,
    })
  }
}

// In milliseconds; and seconds of CPU between two looks, of which the finest that can be told is a hundredth.
const lookEvery = 100
const mostLooks = 150
const idle = 0.02

function rotated<Item>(items: Item[], by: number): Item[] {
  const from = by % Math.max(1, items.length)
  return [...items.slice(from), ...items.slice(0, from)]
}

// Once, where what is kept makes the difference, or a server has not been asked before; a whole run does it before each
// measurement.
const quickWarmUps: Record<Heat, Set<string>> = {
  warm: new Set(['one shipment', 'list of 10', '304', 'mix 95/5']),
  cold: new Set(['one shipment']),
}

// Nothing else is asked of two processes, and each of them has to get as hot as the one is by then.
const hot = 30_000

function warmUpOf({ kind }: Entrant, { length }: HttpRequest[]): number {
  return kind === 'more processes' ? Math.max(hot, length) : length
}

function keepsAnswers({ kind }: Entrant, heat: Heat): boolean {
  return heat === 'warm' && (kind === 'Waybill' || kind === 'more processes')
}

const targetsOfFloor = new Set(['one shipment', 'list of 10', 'list of 100', 'list of 100 at skip=10000', 'mix 95/5'])

function takesPart({ kind }: Entrant, workload: Workload, heat: Heat): boolean {
  const { name } = workload
  if (kind === 'more processes') return name === 'list of 10' && heat === 'warm'
  if (workload.isConditional) return kind === 'Waybill'
  if (kind === 'floor') return targetsOfFloor.has(name) || (name === 'whole list of orders' && heat === 'warm')
  // At fewer connections only against the bare statements.
  if (kind === 'alternative' && name.startsWith('create an order,')) return false
  return true
}

function isJudged({ name, kind }: Entrant, workload: Workload, heat: Heat): boolean {
  // Whoever is named, also without a target, is compared where the others are.
  const isComparison = kind === 'alternative' && workload.name === 'list of 10' && heat === 'warm'
  return isComparison || isInTarget(name, workload.name, heat)
}

function requestsOf(contender: Contender, wishes: Wish[]): HttpRequest[] {
  return wishes.flatMap((wish) => contender.request(wish) ?? [])
}
