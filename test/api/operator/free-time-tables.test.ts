import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkedOperatorResponse, newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

/** Rules and calendars by table: preview, import, export, faults by row and column. */

const service = await startService()
const { key, ops } = await newOperator(service)
const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' }

async function post(table: string, content: string | Uint8Array<ArrayBuffer>, check = false) {
  const url = `${service.baseUrl}/ops/v1/freeTimeTables?table=${table}&check=${check}`
  return checkedOperatorResponse('importFreeTimeTable', await fetch(url, { method: 'POST', headers, body: content }))
}

async function download(table: string, format: string) {
  const response = await fetch(`${service.baseUrl}/ops/v1/freeTimeTables?table=${table}&format=${format}`, { headers })
  expect(response.status).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

const columns =
  'id,direction,clock,port,equipment,free,unit,start_event,start_rule,stop_event,after_free,currency,rates'
const row = (id: string, rates = '1-5: 55.50; 6+: 90', free = '4') =>
  `${id},Import,demurrage,nl/rtm,"dry, 45R1",${free},working_days,discharged,next_day,GATE_OUT,calendar,eur,"${rates}"`

test('a table is previewed, imported, exported and imported again without a change', async () => {
  const id = `a ${randomUUID()}`
  const table = `${columns}\n${row(id)}\n`
  const preview = await post('terms', table, true)
  expect(preview.body).toMatchObject({
    kept: false,
    rows: 1,
    created: 1,
    changes: [{ id, what: 'created' }],
    faults: [],
  })
  const find = async () =>
    (await ops('listFreeTimeTerms', undefined, { query: { after: 'a ' } })).body.terms.find((each) => each.id === id)
  expect(await find()).toBeUndefined()
  expect((await post('terms', table)).body).toMatchObject({ kept: true, created: 1 })
  expect(await find()).toMatchObject({
    port: 'NL/RTM',
    equipment: ['dry', 'reefer'],
    tiers: [
      { from_day: 1, to_day: 5, amount: 55.5, currency: 'EUR' },
      { from_day: 6, amount: 90, currency: 'EUR' },
    ],
  })
  for (const format of ['csv', 'xlsx']) {
    expect((await post('terms', await download('terms', format))).body).toMatchObject({
      kept: false,
      changes: [],
      faults: [],
    })
  }
  const changed = await post('terms', `${columns}\n${row(id, undefined, '6')}\n`)
  expect(changed.body).toMatchObject({ kept: true, updated: 1, changes: [{ id, what: 'updated', fields: ['/free'] }] })
})

test('calendars are a row a day, and are replaced whole', async () => {
  const table =
    'Place,Weekend,Date,Kind,Name\nBE,6 7,2026-07-21,,National day\nBE,,2026-11-11,holiday,\nBE/ANR,,2026-02-02,closure,Strike\n'
  expect((await post('working_days', table)).body).toMatchObject({ kept: true, rows: 3, created: 2 })
  const { body } = await ops('listWorkingDays', undefined, { query: { after: 'BD' } })
  expect(body.calendars.slice(0, 2)).toMatchObject([
    {
      place: 'BE',
      weekend: [6, 7],
      days: [{ date: '2026-07-21', kind: 'holiday', name: 'National day' }, { date: '2026-11-11' }],
    },
    { place: 'BE/ANR', days: [{ kind: 'closure' }] },
  ])
  expect((await post('working_days', await download('working_days', 'xlsx'))).body).toMatchObject({
    kept: false,
    changes: [],
  })
})

test('faults name the row and the column, and nothing is changed', async () => {
  const id = randomUUID()
  const rows = [
    row(id),
    row(''),
    row(`${id} b`, '1-5: 55; 7+: 90'),
    row(`${id} c`, 'much'),
    row(`${id} d`, '1+: 5', 'four'),
    row(id),
  ]
  const { body } = await post('terms', `${columns}\n${rows.join('\n')}\n`)
  expect(body.kept).toBe(false)
  expect(body.faults.map(({ row: number, column }) => `${number} ${column}`)).toEqual([
    '3 id',
    '4 rates',
    '5 rates',
    '6 free',
    '7 id',
  ])
  const days = await post(
    'working_days',
    'place,weekend,date,kind\nNowhere,,2026-01-01,\nFR,8,2026-01-01,\nIT,,2026-02-30,\nES,,2026-01-01,party\n',
  )
  expect(days.body.faults.map(({ row: number, column }) => `${number} ${column}`)).toEqual([
    '2 place',
    '3 weekend',
    '4 date',
    '5 kind',
  ])
  for (const content of ['', 'id,colour\n1,red\n', '%PDF-1.7', `${columns}\n${'x'.repeat(3_000_000)}`]) {
    const { status } = await post('terms', content)
    expect(status, content.slice(0, 20)).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  }
})
