import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { runProgram, temporaryFolder } from '../support/program.js'

/** `waybill free-time`. */

const folder = await temporaryFolder()
const env = { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR: folder }
const freeTime = (...args: string[]) => runProgram(['free-time', ...args], { env })
const id = `cli ${Date.now()}`
const columns = 'id,direction,clock,free,unit,start_event,start_rule,stop_event,after_free,currency,rates'
const row = (free: string) =>
  `${id},import,demurrage,${free},working_days,DISCHARGED,next_day,GATE_OUT,calendar,EUR,1+: 90`

test('a table of rules is checked, imported, exported and imported again without a change', async () => {
  const file = join(folder, 'terms.csv')
  await writeFile(file, `${columns}\n${row('4')}\n`)
  expect(await freeTime('import', 'terms', file, '--check')).toMatchObject({
    code: 0,
    stdout: `1 rows: 1 would be created, 0 would be updated\n  ${id}: created\n`,
  })
  expect((await freeTime('import', 'terms', file)).stdout).toMatch(/^1 rows: 1 created, 0 updated\n/)
  const copy = join(folder, 'copy.csv')
  expect((await freeTime('export', 'terms', copy)).code).toBe(0)
  expect(await readFile(copy, 'utf8')).toContain(id)
  expect((await freeTime('import', 'terms', copy)).stdout).toMatch(/^\d+ rows: 0 created, 0 updated\n/)
  expect(await freeTime('export', 'terms', copy)).toMatchObject({
    code: 1,
    stderr: `waybill: ${copy} already exists\n`,
  })
  expect((await freeTime('export', 'terms', join(folder, 'copy.txt'))).code).toBe(2)

  await writeFile(file, `${columns}\n${row('many')}\n`)
  const wrong = await freeTime('import', 'terms', file)
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toMatch(/row 2, column free: /)
  expect(wrong.stderr).toBe('waybill: the table has errors: nothing was changed\n')
  expect((await freeTime('import', 'terms', join(folder, 'missing.csv'))).code).toBe(1)
})
