import { groupedBy } from '../../src/domain/records/grouping.js'
import { figure, grouped } from '../summary.js'
import type { Accounts } from './lines.js'

export type Shape = { accounts: Accounts; database: 'empty' | 'full' }

export type Measured = Shape & {
  version: string
  lines: number
  /** Lines per second; undefined where the import did not end within its limit. */
  rate: number | undefined
}

const leastRatio = 0.8

/** A table with a row for each shape: lines per second by size, and how the largest compares with the smallest. */
export function summaryOf(measured: Measured[], { sizes }: { sizes: number[] }): string {
  const groups = groupedBy(measured, ({ version, accounts, database }) => `${version} ${accounts} ${database}`)
  const lines = [...groups.values()].map((group) => {
    const { version, accounts, database } = group[0] as Measured
    const [smallest, largest] = [group[0]?.rate, group.at(-1)?.rate]
    const ratio = smallest === undefined || largest === undefined ? undefined : largest / smallest
    const cells = [
      version,
      accounts,
      database,
      ...group.map(({ rate }) => (rate === undefined ? 'not measured' : grouped(rate))),
      ratio === undefined ? '' : figure(ratio),
      ratio === undefined ? '**not measured**' : ratio >= leastRatio ? 'met' : '**not met**',
    ]
    return `| ${cells.join(' | ')} |`
  })
  return `Lines per second. The target: at the largest size at least ${leastRatio} times the rate at the smallest.

| PostgreSQL | accounts | database | ${sizes.map((size) => `${grouped(size)} lines`).join(' | ')} | ratio | |
|---|---|---|${sizes.map(() => '--:|').join('')}--:|---|
${lines.join('\n')}`
}
