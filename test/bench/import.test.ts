import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const timeout = 180_000

test('the import benchmark measures one account and many, in an empty and a full database', { timeout }, async () => {
  const options = '--database bundled --sizes 100 --full 100 --rounds 1'.split(' ')
  const args = ['--import', 'tsx', 'bench/import/main.ts', ...options]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const rows = [...stdout.matchAll(/^\| \d+\.\d+ \| (\w+) \| (\w+) \| [\d,]+ \| 1\.00 \| met \|$/gm)]
  expect(rows.map(([, accounts, database]) => `${accounts} ${database}`)).toEqual([
    'one empty',
    'one full',
    'many empty',
    'many full',
  ])
})
