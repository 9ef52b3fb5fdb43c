import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase, type TransactionSql } from '../../src/database/database.js'

const db = openDatabase({ url: inject('databaseUrl') }, { connections: 1 })
await db.unsafe('create table if not exists saved_words (word text unique)')
afterAll(async () => {
  await db.unsafe('drop table saved_words')
  await db.end({ timeout: 1 })
})

function write(sql: TransactionSql, word: string): void {
  sql.send(sql`insert into saved_words values (${word})`)
}

test('what fails behind a savepoint, also a statement that is not awaited, takes nothing else with it', async () => {
  const failures: unknown[] = []
  await db.begin(async (sql) => {
    write(sql, 'before')
    await sql.savepoint(async (inner) => write(inner, 'kept'))
    const thrown = sql.savepoint(async (inner) => {
      write(inner, 'thrown')
      throw new Error('refused')
    })
    await thrown.catch((error: unknown) => failures.push(error))
    const twice = sql.savepoint(async (inner) => {
      write(inner, 'lost')
      write(inner, 'kept')
      write(inner, 'never')
    })
    await twice.catch((error: unknown) => failures.push(error))
    write(sql, 'after')
  })
  // The second is that of the statement that failed, not of those after it.
  expect(failures).toMatchObject([{ message: 'refused' }, { code: '23505' }])
  const rows = await db<{ word: string }[]>`select word from saved_words order by word`
  expect(rows.map(({ word }) => word)).toEqual(['after', 'before', 'kept'])
})
