import { parseArgs } from 'node:util'
import { alternativeNames } from './alternatives.js'
import { type DataSize, fullSize, quickSize } from './dataset.js'
import { workloadNamed } from './workloads.js'

export type Options = {
  isQuick: boolean
  size: DataSize
  rounds: number
  seconds: number
  warmUpSeconds: number
  mostSeconds: number
  connections: number
  /** Undefined: all of them. */
  only: string[] | undefined
  workloads: string[] | undefined
  keep: string | undefined
  write: boolean
  task: 'bench' | 'growth' | 'profile' | 'report'
}

/** Waybill as two processes. */
export const twoProcesses = 'two processes'

const contenderNames: string[] = ['floor', 'waybill', ...alternativeNames, twoProcesses]

export const usage = `npm run bench -- [flags]
  --quick             in under 3 minutes, and nothing is written: a tenth of the data, 2 rounds of 1 s, only what a
                      target names (all workloads that --workloads names), Directus only where it is installed already
  --only NAME,...     only these of ${contenderNames.join(', ')};
                      the first two are always there
  --workloads NAME,.. only these workloads
  --rounds N          5 without it
  --seconds N         of each measurement; 2 without it
  --connections N     32 without it
  --keep FOLDER       keep the data there, and use what is there already
  --write             write docs/performance.md also where it is not the default
  --growth            how the cost of a request grows with the data, and how much memory a server takes
  --profile           flame graphs and plans of the workloads that missed their targets, or of those named
  --report            only write docs/performance.md anew, from docs/performance/results.json`

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
      report: { type: 'boolean', default: false },
    },
  })
  const isQuick = values.quick
  // A comma within a name has a space behind it.
  const names = (text: string | undefined) => text?.split(/,(?! )/)
  const workloads = names(values.workloads)
  for (const name of workloads ?? []) workloadNamed(name)
  const only = names(values.only?.toLowerCase())
  for (const name of only ?? []) {
    if (!contenderNames.includes(name))
      throw new Error(`there is no contender ${name}: they are ${contenderNames.join(', ')}`)
  }
  return {
    isQuick,
    size: isQuick ? quickSize : fullSize,
    rounds: count('--rounds', values.rounds, isQuick ? 2 : 5),
    seconds: count('--seconds', values.seconds, isQuick ? 1 : 2),
    warmUpSeconds: 1,
    mostSeconds: isQuick ? 3 : 5,
    connections: count('--connections', values.connections, 32),
    only,
    workloads,
    keep: values.keep,
    // A part of a run is no report.
    write: values.write ?? !(isQuick || only || workloads),
    task: values.report ? 'report' : values.growth ? 'growth' : values.profile ? 'profile' : 'bench',
  }
}

function count(flag: string, text: string | undefined, absent: number): number {
  if (text === undefined) return absent
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new Error(`${flag} ${text}: write a whole number above 0`)
}
