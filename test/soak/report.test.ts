import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parts } from '../../soak/parts.js'
import { hostilePageOf, type Run, readResults, reportOf, type StoredResult, withResults } from '../../soak/report.js'

const machine = { processor: 'CPU', cores: 2, memory: 2 * 1024 ** 3, system: 'Linux', node: 'v24' }
const runOf = (date: string, commit: string, command: string): Run => ({ date, commit, command, seed: 1, machine })
const whole = runOf('2026-01-01T10:00:00Z', 'aaa1111', 'npm run soak -- --seed 1')
const later = runOf('2026-02-02T10:00:00Z', 'bbb2222', 'npm run soak -- --only mirror --seed 1')
const counts = { faults: 0, acknowledgedWrites: 0, lost: 0, doubled: 0, unexpectedFailures: 0, leaks: 0, seconds: 60 }
const result = (name: string, run: Run, requests: number): StoredResult => {
  return { name, detail: `What ${name} did.`, requests, ...counts, figures: [], violations: [], run }
}

test('a run of some parts replaces their rows only, and every row has the date and commit of its run', () => {
  const before = { parts: [result('fuzz', whole, 1), result('mirror:embedded', whole, 2)] }
  const order = ['fuzz', 'webhooks:embedded', 'mirror:embedded']
  const done = [result('mirror:embedded', later, 3), result('webhooks:embedded', later, 4)]
  const report = reportOf(withResults(before, done, order))
  const rows = report.split('\n').filter((row) => /^\| (fuzz|mirror|webhooks)/.test(row))
  expect(rows).toEqual([
    '| fuzz | 2026-01-01 | aaa1111 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 60 | passed |',
    '| webhooks:embedded | 2026-02-02 | bbb2222 | 4 | 0 | 0 | 0 | 0 | 0 | 0 | 60 | passed |',
    '| mirror:embedded | 2026-02-02 | bbb2222 | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 60 | passed |',
  ])
  expect(report).toContain('| 2026-01-01 | aaa1111 | `npm run soak -- --seed 1` | 1 | 1 | 1 |')
  expect(report).toContain('| 2026-02-02 | bbb2222 | `npm run soak -- --only mirror --seed 1` | 1 | 2 | 2 |')
})

test('every part appears in the report once it has run', () => {
  const order = parts.map(({ name }) => name)
  for (const name of ['mirror', 'webhooks', 'hostile', 'upgrade', 'failover'])
    expect(
      order.filter((each) => each.split(':')[0] === name),
      name,
    ).not.toEqual([])
  const report = reportOf(
    withResults(
      { parts: [] },
      order.map((name) => result(name, whole, 1)),
      order,
    ),
  )
  for (const name of order) expect(report).toContain(`### ${name}\n`)
})

test('the report is that of the stored results', async () => {
  const results = await readResults()
  expect(await readFile('docs/reliability.md', 'utf8')).toBe(reportOf(results))
  const page = hostilePageOf(results)
  if (page !== undefined) expect(await readFile('docs/hostile-requests.md', 'utf8')).toBe(page)
})
