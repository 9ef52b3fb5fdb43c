import { parseArgs } from 'node:util'
import { comparisonNames } from './comparison-servers.js'
import { type DataSize, fullSize, quickSize } from './dataset.js'
import type { Wanted } from './participants.js'
import { quickWorkloads, type Workload, workloadNamed, workloads } from './workloads.js'

export type Options = {
  isQuick: boolean
  size: DataSize
  rounds: number
  seconds: number
  warmUpSeconds: number
  mostSeconds: number
  connections: number
  wanted: Wanted
  workloads: Workload[]
  /** Undefined where none is named: all. */
  namedWorkloads: string[] | undefined
  keep: string | undefined
  write: boolean
  task: 'bench' | 'growth' | 'profile'
}

const two = 'two processes'
const serverNames: string[] = ['floor', 'waybill', ...comparisonNames, two]

export const usage = `npm run bench -- [options]
  --quick             within 3 minutes, and nothing is written: a tenth of the data, 2 rounds of 1 s, only what a
                      target needs (all workloads that --workloads names)
  --only NAME,...     only these of ${serverNames.join(', ')};
                      the first two are always measured
  --workloads NAME;.. only these workloads, separated by semicolons
  --rounds N          default: 5
  --seconds N         of each measurement; default: 2
  --connections N     default: 32
  --keep FOLDER       keep the data there, and use it again
  --write             write docs/performance.md also after a part of a run
  --growth            measure how the cost of a request grows with the data, and the memory of a server
  --profile           write CPU profiles and query plans to results/profiles: of the named workloads, or of those that
                      missed their targets in the last full run

The exit code is 1 when something that a target names could not be measured.`

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      workloads: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      keep: { type: 'string' },
      write: { type: 'boolean' },
      growth: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  })
  const isQuick = values.quick
  const namedWorkloads = values.workloads?.split(/ *; */).map((name) => workloadNamed(name).name)
  const only = values.only?.toLowerCase().split(/ *, */)
  for (const name of only ?? []) {
    if (!serverNames.includes(name))
      throw new Error(`unknown server ${name}; the servers are: ${serverNames.join(', ')}`)
  }
  const isWanted = (name: string) => only?.includes(name) ?? true
  return {
    isQuick,
    size: isQuick ? quickSize : fullSize,
    rounds: count('--rounds', values.rounds, isQuick ? 2 : 5),
    seconds: count('--seconds', values.seconds, isQuick ? 1 : 2),
    warmUpSeconds: 1,
    mostSeconds: isQuick ? 3 : 5,
    connections: count('--connections', values.connections, 32),
    wanted: { comparisons: comparisonNames.filter(isWanted), twoProcesses: isWanted(two) },
    workloads: (isQuick ? quickWorkloads : workloads).filter(({ name }) => namedWorkloads?.includes(name) ?? true),
    namedWorkloads,
    keep: values.keep,
    // A part of a run is not a report.
    write: values.write ?? !(isQuick || only || namedWorkloads),
    task: values.growth ? 'growth' : values.profile ? 'profile' : 'bench',
  }
}

function count(flag: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new Error(`${flag} ${text}: write a whole number above 0`)
}
