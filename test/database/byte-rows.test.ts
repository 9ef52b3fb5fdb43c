import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'

const db = openDatabase({ url: inject('databaseUrl') }, { connections: 2 })

// Longer than what arrives at once, with characters of one to four bytes: parts of one may arrive apart.
const long = 'aé漢🚢'.repeat(100_000)

test('texts of rows are the bytes that are stored, and other values are unparsed', async () => {
  const rows = await db`
    select 7::bigint, body, null::text from unnest(${[long, 'é', '']}::text[]) with ordinality as stored (body, place)
    order by place`.bytes()
  expect(rows).toEqual([long, 'é', ''].map((body) => ['7', Buffer.from(body), null]))
})

test('rows as bytes change no other rows of the connections', async () => {
  const asBytes = async () => (await db`select ${long}::text`.bytes<[Buffer]>()).map(([body]) => body.toString())
  const asText = async () => (await db`select ${long}::text`.text()).map(([body]) => body)
  const asObjects = async () => (await db<{ é: string }[]>`select ${long}::text as "é"`).map(({ é }) => é)
  const all = await Promise.all(Array.from({ length: 30 }, (_, index) => [asBytes, asText, asObjects][index % 3]!()))
  expect(all.every(([body]) => body === long)).toBe(true)
})

test('within a transaction, statements that are sent together keep their forms', async () => {
  await db.begin(async (sql) => {
    const [bytes, objects, text] = await Promise.all([
      sql`select 'é'::text`.bytes(),
      sql`select 'é'::text as "ü"`,
      sql`select 'é'::text`.text(),
    ])
    expect([bytes, objects, text]).toEqual([[[Buffer.from('é')]], [{ ü: 'é' }], [['é']]])
  })
  const copied = await db.beginCopy(async (sql) => sql`select 'é'::text`.bytes())
  expect(copied).toEqual([[Buffer.from('é')]])
})

test('an error after some rows is readable, and so is what follows', async () => {
  const failing = db`select 'é'::text || (1 / (3 - place))::text from generate_series(1, 3) place`.bytes()
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  await expect(db`select 'é'::text`.text()).resolves.toEqual([['é']])
  await expect(db`select ${'é'}::integer`.bytes()).rejects.toThrow('"é"')
})
