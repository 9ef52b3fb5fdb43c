import type { Results } from './results.js'
import { median } from './sampling.js'
import { type CacheState, createWorkloads } from './workloads.js'

/** What Waybill has to reach, as ratios of rates within one run, which has one load generator. */
type Side = { server: string; workload: string; cache: CacheState }
type Target = { name: string; measured: Side; reference: Side; least: number; description: string }

const waybill = (workload: string, cache: CacheState = 'warm'): Side => ({ server: 'Waybill', workload, cache })

function ofFloor(workload: string, cache: CacheState, percent: number): Target {
  return {
    name: `${workload}, ${cache}`,
    measured: waybill(workload, cache),
    reference: { server: 'floor', workload, cache },
    least: percent / 100,
    description: `${percent}% of the floor`,
  }
}

function timesKysely(workload: string, times: number): Target {
  return {
    name: workload,
    measured: waybill(workload),
    reference: { server: 'Kysely', workload, cache: 'warm' },
    least: times,
    description: `${times} times Kysely`,
  }
}

const deep = 'list of 100 at skip=10000'

/** How many times as fast as one process two are to be. */
export const leastForTwo = 1.3

/** Bytes that a server process may take at most, in every workload. */
export const mostMemory = 400 * 1024 * 1024

const targets: Target[] = [
  ofFloor('one shipment', 'warm', 60),
  ofFloor('one shipment', 'cold', 45),
  ofFloor('list of 10', 'warm', 60),
  ofFloor('list of 10', 'cold', 27),
  ofFloor('list of 100', 'warm', 65),
  ofFloor('list of 100', 'cold', 12),
  ofFloor(deep, 'warm', 65),
  {
    name: `${deep}, cold`,
    measured: waybill(deep, 'cold'),
    reference: waybill('list of 100', 'cold'),
    least: 0.5,
    description: 'half of the cold rate at skip=0',
  },
  {
    name: '304',
    measured: waybill('304'),
    reference: { server: 'floor', workload: 'list of 10', cache: 'warm' },
    least: 0.85,
    description: '85% of the floor for the full response',
  },
  ...createWorkloads.map(({ name }) => timesKysely(name, 1.5)),
  {
    name: 'list of 10, two processes',
    measured: { server: 'Waybill, 2 processes', workload: 'list of 10', cache: 'warm' },
    reference: waybill('list of 10'),
    least: leastForTwo,
    description: `${leastForTwo} times one process`,
  },
]

function isSide(side: Side, server: string, workload: string, cache: CacheState): boolean {
  return side.server === server && side.workload === workload && side.cache === cache
}

/** Whether a target needs it. */
export function isInTarget(server: string, workload: string, cache: CacheState): boolean {
  return targets.some(({ measured, reference }) =>
    [measured, reference].some((side) => isSide(side, server, workload, cache)),
  )
}

/** `ratio`: of medians; undefined where a side could not be measured. */
export type Evaluation = {
  name: string
  description: string
  least: number
  ratio: number | undefined
  rounds: number[]
  isMet: boolean
}

/** The targets of the selected workloads. */
export function evaluateTargets(results: Results): Evaluation[] {
  const isAsked = ({ server, workload }: Side) =>
    results.servers.includes(server) && results.workloads.includes(workload)
  return targets
    .filter(({ measured, reference }) => isAsked(measured) && isAsked(reference))
    .map(({ name, measured, reference, least, description }) => {
      const [ours, theirs] = [ratesOf(results, measured), ratesOf(results, reference)]
      const isMeasured = ours.size > 0 && theirs.size > 0
      const ratio = isMeasured ? median([...ours.values()]) / median([...theirs.values()]) : undefined
      const rounds = [...ours].flatMap(([round, rate]) => {
        const other = theirs.get(round)
        return other === undefined ? [] : [rate / other]
      })
      return { name, description, least, ratio, rounds, isMet: ratio !== undefined && ratio >= least }
    })
}

/** The workloads of Waybill that miss a target, each once. */
export function missedWorkloads(results: Results): { workload: string; cache: CacheState }[] {
  const missed = new Set(
    evaluateTargets(results).flatMap(({ name, description, isMet }) => (isMet ? [] : [`${name} ${description}`])),
  )
  const sides = targets.flatMap(({ name, description, measured }) =>
    measured.server === 'Waybill' && missed.has(`${name} ${description}`) ? [measured] : [],
  )
  const unique = new Map(sides.map(({ workload, cache }) => [`${workload} ${cache}`, { workload, cache }]))
  return [...unique.values()]
}

function ratesOf({ measurements }: Results, side: Side): Map<number, number> {
  const found = measurements.filter(({ server, workload, cache }) => isSide(side, server, workload, cache))
  return new Map(found.map(({ round, rate }) => [round, rate]))
}
