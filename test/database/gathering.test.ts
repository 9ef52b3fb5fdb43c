import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase, type Reader } from '../../src/database/database.js'
import { lookup } from '../../src/database/lookup.js'

const db = openDatabase({ url: inject('databaseUrl') }, { connections: 1 })
await db.unsafe('create table if not exists gathered_words (word text unique)')
afterAll(async () => {
  await db.unsafe('drop table gathered_words')
  await db.end({ timeout: 1 })
})

/** The statements that were sent, by how many keys or rows they had. */
const sent: string[] = []

function insertWords(sql: Reader, words: string[]) {
  sent.push(`write ${words.length}`)
  return sql`insert into gathered_words select unnest(${words}::text[])`
}

const findWords = lookup<string, { word: string }>((sql, words) => {
  sent.push(`read ${words.length}`)
  return sql`
    select place, stored.word
    from unnest(${words}::text[]) with ordinality as wanted (word, place) join gathered_words stored using (word)
    order by place`
})

const wordsOf = (rows: { word: string }[]) => rows.map(({ word }) => word)

test('lookups and writes of one turn of the event loop are one statement each, and each caller gets its own rows', async () => {
  sent.length = 0
  const found = await db.begin(async (sql) => {
    sql.gathering.write(insertWords, ['one', 'two'])
    const first = findWords(sql, ['two', 'missing', 'one'])
    sql.gathering.write(insertWords, ['three'])
    return Promise.all([first, findWords(sql, []), findWords(sql, ['three', 'one'])])
  })
  expect(found.map(wordsOf)).toEqual([['two', 'one'], [], ['three', 'one']])
  expect(sent).toEqual(['write 3', 'read 5'])
  expect(wordsOf(await findWords(db, ['one']))).toEqual(['one'])
})

test('what is gathered is sent before a savepoint, any other statement and the commit', async () => {
  await db.begin(async (sql) => {
    sql.gathering.write(insertWords, ['outside'])
    const rolledBack = sql.savepoint(async (inner) => {
      inner.gathering.write(insertWords, ['inside'])
      expect(await inner`select from gathered_words where word in ('outside', 'inside')`).toHaveLength(2)
      inner.gathering.write(insertWords, ['never'])
      throw new Error('refused')
    })
    await expect(rolledBack).rejects.toThrow('refused')
    sql.gathering.write(insertWords, ['last'])
  })
  expect(wordsOf(await findWords(db, ['outside', 'inside', 'never', 'last']))).toEqual(['outside', 'last'])
})

test('nothing is sent any more once the transaction has failed', async () => {
  const pending: Promise<unknown>[] = []
  const failed = db.begin(async (sql) => {
    sql.gathering.write(insertWords, ['lost'])
    pending.push(findWords(sql, ['one']).catch((error: Error) => error.message))
    throw new Error('refused')
  })
  await expect(failed).rejects.toThrow('refused')
  expect(await Promise.all(pending)).toEqual(['the transaction was rolled back'])
  expect(await findWords(db, ['lost'])).toEqual([])
})
