import { median } from './draws.js'
import type { Results } from './results.js'
import type { Heat } from './workloads.js'

/** What is promised, as ratios of rates within one run. */
type Side = { contender: string; workload: string; heat?: Heat }
type Target = { name: string; measured: Side; against: Side; least: number; told: string }

const waybill = (workload: string, heat: Heat = 'warm'): Side => ({ contender: 'Waybill', workload, heat })
const of = (contender: string, workload: string, heat: Heat = 'warm'): Side => ({ contender, workload, heat })

function toFloor(workload: string, heat: Heat, percent: number): Target {
  return {
    name: `${workload}, ${heat}`,
    measured: waybill(workload, heat),
    against: of('floor', workload, heat),
    least: percent / 100,
    told: `${percent}% of the floor`,
  }
}

function toInserts(workload: string, name: string): Target {
  return {
    name,
    measured: waybill(workload),
    against: of('bare INSERTs', workload),
    least: 0.6,
    told: '60% of bare `INSERT`s',
  }
}

function toOther(contender: string, times: number): Target {
  return {
    name: 'list of 10, warm',
    measured: waybill('list of 10'),
    against: of(contender, 'list of 10'),
    least: times,
    told: `${times} times ${contender}`,
  }
}

const others = [toOther('Kysely', 15), toOther('Prisma', 15), toOther('Directus', 100)]

const deep = 'list of 100 at skip=10000'

/** How many times as fast two processes are to be. */
export const leastForTwo = 1.6

export const targets: Target[] = [
  toFloor('one shipment', 'warm', 75),
  toFloor('one shipment', 'cold', 45),
  toFloor('list of 10', 'warm', 70),
  toFloor('list of 10', 'cold', 18),
  toFloor('list of 100', 'warm', 75),
  toFloor('list of 100', 'cold', 8),
  toFloor(deep, 'warm', 75),
  {
    name: `${deep}, cold`,
    measured: waybill(deep, 'cold'),
    against: waybill('list of 100', 'cold'),
    least: 0.5,
    told: 'half of the cold rate at skip=0',
  },
  {
    name: '304',
    measured: waybill('304'),
    against: of('floor', 'list of 10'),
    least: 1,
    told: '100% of the floor for the full answer',
  },
  toInserts('create an order, 1 connection', 'create an order, 1 connection'),
  toInserts('create an order, 8 connections', 'create an order, 8 connections'),
  toInserts('create an order', 'create an order, all connections'),
  toFloor('mix 95/5', 'warm', 50),
  ...others,
  {
    name: 'list of 10, two processes',
    measured: of('Waybill, 2 processes', 'list of 10'),
    against: waybill('list of 10'),
    least: leastForTwo,
    told: `${leastForTwo} times one process`,
  },
]

/** Whether a target is judged by it. */
export function isInTarget(contender: string, workload: string, heat: Heat): boolean {
  const isIt = (side: Side) =>
    side.contender === contender && side.workload === workload && (side.heat ?? 'warm') === heat
  return targets.some(({ measured, against }) => isIt(measured) || isIt(against))
}

/** The workloads of Waybill that miss a target, each once. */
export function missed(results: Results): { workload: string; heat: Heat }[] {
  const bad = new Set(judge(results).flatMap(({ name, told, isMet }) => (isMet ? [] : [`${name} ${told}`])))
  const sides = targets.flatMap(({ name, told, measured: { contender, workload, heat = 'warm' } }) =>
    contender === 'Waybill' && bad.has(`${name} ${told}`) ? [{ workload, heat }] : [],
  )
  return sides.filter(
    ({ workload, heat }, index) =>
      sides.findIndex((side) => side.workload === workload && side.heat === heat) === index,
  )
}

export type Judged = { name: string; told: string; least: number; ratio: number; rounds: number[]; isMet: boolean }

/** Those for which both sides were measured: the ratio of medians, and of each round. */
export function judge(results: Results): Judged[] {
  return targets.flatMap(({ name, measured, against, least, told }) => {
    const [ours, theirs] = [ratesOf(results, measured), ratesOf(results, against)]
    if (ours.size === 0 || theirs.size === 0) return []
    const ratio = median([...ours.values()]) / median([...theirs.values()])
    const rounds = [...ours].flatMap(([round, rate]) => {
      const other = theirs.get(round)
      return other === undefined ? [] : [rate / other]
    })
    return [{ name, told, least, ratio, rounds, isMet: ratio >= least }]
  })
}

/** Targets that not even the floor reaches, which does nothing but send the bytes; and how far it gets. */
export function beyondTheFloor(results: Results): { told: string; ratio: number }[] {
  return others.flatMap(({ measured, against, least, told }) => {
    const [floor, theirs] = [ratesOf(results, { ...measured, contender: 'floor' }), ratesOf(results, against)]
    if (floor.size === 0 || theirs.size === 0) return []
    const ratio = median([...floor.values()]) / median([...theirs.values()])
    return ratio < least ? [{ told, ratio }] : []
  })
}

function ratesOf({ measurements }: Results, side: Side): Map<number, number> {
  const found = measurements.filter(
    ({ contender, workload, heat }) =>
      contender === side.contender && workload === side.workload && heat === (side.heat ?? 'warm'),
  )
  return new Map(found.map(({ round, rate }) => [round, rate]))
}
