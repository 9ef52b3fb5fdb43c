import { expect, test } from 'vitest'
import type { TableColumns } from '../../../src/contract/operator/tables.js'
import { whileInboxRuns } from '../../support/inbox.js'
import { startCarrier } from '../../support/messages.js'
import { checkedOperatorResponse } from '../../support/operator.js'
import { zip } from '../../support/sample-files.js'
import { startService } from '../../support/service.js'
import { xlsxOf } from '../../support/tables.js'

const service = await startService()

async function startTables() {
  const carrier = await startCarrier(service)
  const { sender, operatorKey, tracked } = carrier
  async function send<Name extends 'receiveMessage' | 'previewMessage'>(
    name: Name,
    path: string,
    content: string | Buffer,
    query = '',
  ) {
    const address = `${service.baseUrl}/ops/v1/${path}?format=table&sender=${sender}${query}`
    const headers = { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/octet-stream' }
    return checkedOperatorResponse(
      name,
      await fetch(address, { method: 'POST', headers, body: new Uint8Array(Buffer.from(content)) }),
    )
  }
  return {
    ...carrier,
    upload: async (content: string | Buffer) => (await send('receiveMessage', 'messages', content)).body,
    preview: async (content: string | Buffer, columns?: TableColumns) => {
      const query = columns ? `&columns=${encodeURIComponent(JSON.stringify(columns))}` : ''
      return send('previewMessage', 'messages/preview', content, query)
    },
    events: async (id: string) =>
      (await tracked(id)).tracking_steps?.flatMap(({ type, events = [] }) => events.map((each) => ({ type, ...each }))),
  }
}

const csv = (...rows: string[][]) => rows.map((row) => `${row.join(';')}\n`).join('')

test('a table of events in English is applied once, with the clock of the place, and its bad rows name row and column', async () => {
  const { ship, upload, events, dates, booking, containers, tracked, ops, sender } = await startTables()
  const id = await ship()
  const [one, two] = containers
  const header = [
    'Booking no.',
    'Container',
    'What happened',
    'Date',
    'Time',
    'Status',
    'Port',
    'Vessel',
    'Voyage',
    'Remarks',
  ]
  const rows = [
    [booking, one, 'Gate in', '08/03/2026', '10:15', 'Actual', 'CNNGB', '', '', ''],
    [
      '',
      `${two.slice(0, 4)} ${two.slice(4, 10)}-${two.slice(10)}`,
      'GATE_IN',
      '8 Mar 2026',
      '11h30',
      'actual',
      'Ningbo',
      '',
      '',
      'At the barrier',
    ],
    [booking, '', 'Vessel departed', '2026-03-10 23:40', '', 'act', 'CN/NGB', 'ELBE HORIZON', '014W', ''],
    [booking, '', 'Arrival', '14/04/2026 6:00 AM', '', 'Estimated', 'Hamburg (DEHAM)', '', '', ''],
    [booking, '', 'Arrival', '31/02/2026', '', 'Estimated', 'DEHAM', '', '', ''],
    ['', '', 'Arrival', '14/04/2026', '', 'Estimated', 'DEHAM', '', '', ''],
    [booking, '', 'Arrival', '14/04/2026', '', 'perhaps', 'DEHAM', '', '', ''],
    [booking, '', '', '14/04/2026', '', '', 'DEHAM', '', '', ''],
    ['NOBODYKNOWS1', '', 'Arrival', '14/04/2026', '', '', 'DEHAM', '', '', ''],
  ]
  const done = await upload(csv(header, ...rows))
  expect(done).toMatchObject({ outcome: 'unmatched', counts: { events: 9, applied: 4, invalid: 4, unmatched: 1 } })
  expect(done.events.map(({ row, reason }) => [row, reason])).toEqual([
    [2, undefined],
    [3, undefined],
    [4, undefined],
    [5, undefined],
    [6, 'row 6, column D (Date): is "31/02/2026": it must be a date such as 2026-11-30 or 2026-11-30 14:05'],
    [7, 'row 7: has no reference'],
    [8, 'row 8, column F (Status): is "perhaps": it must be actual, estimated, planned or problem'],
    [9, 'row 9, column C (What happened): is required: what happened'],
    [10, 'no shipment has NOBODYKNOWS1'],
  ])
  expect(await events(id)).toMatchObject([
    { type: 'origin_port', description: 'Gate in', date: '2026-03-08T10:15:00+08:00', container_number: one },
    { type: 'origin_port', description: 'Gate in', date: '2026-03-08T11:30:00+08:00', container_number: two },
    { type: 'origin_port', description: 'Vessel departed', date: '2026-03-10T23:40:00+08:00', status: 'actual' },
    { type: 'destination_port', date: '2026-04-14T06:00:00+02:00', status: 'estimated' },
  ])
  expect(await dates(id)).toMatchObject({
    departure_date: { date: '2026-03-10T23:40:00+08:00', status: 'actual' },
    arrival_date: { date: '2026-04-14T06:00:00+02:00', status: 'estimated' },
  })

  // The same rows and one more, and a corrected one.
  const corrected = rows.slice(0, 4).map((row, index) => (index === 3 ? row.with(3, '15/04/2026 6:00 AM') : row))
  const more = [booking, one, 'Loaded on board', '09/03/2026', '18:00', 'actual', 'CNNGB', 'ELBE HORIZON', '014W', '']
  const next = await upload(csv(header, ...corrected, more))
  expect(next.events.map(({ outcome }) => outcome)).toEqual([
    'unchanged',
    'unchanged',
    'unchanged',
    'applied',
    'applied',
  ])
  expect((await dates(id)).arrival_date).toMatchObject({ date: '2026-04-15T06:00:00+02:00' })
  expect(await events(id)).toHaveLength(5)
  const before = await tracked(id)
  expect((await upload(csv(header, ...corrected, more))).outcome).toBe('duplicate')
  expect((await upload(csv(header, more, ...corrected))).outcome).toBe('duplicate')
  const params = { message_id: String(next.message_id) }
  expect((await ops('replayMessage', undefined, { params })).body.outcome).toBe('duplicate')
  expect(await tracked(id)).toEqual(before)
  expect((await ops('listMessages', undefined, { query: { sender } })).body.messages[0]).toMatchObject({
    format: 'table',
  })
})

test('a workbook with French headings below a title, dates of the spreadsheet and several sheets is read', async () => {
  const { ship, upload, events, booking, containers } = await startTables()
  const id = await ship()
  const day = (text: string) => ({ type: Date, value: new Date(`${text}Z`), format: 'dd/mm/yyyy hh:mm' })
  const content = await xlsxOf([
    { sheet: 'Notes', data: [['À lire'], ['Rien']] },
    {
      sheet: 'Suivi',
      data: [
        ['Suivi des conteneurs'],
        ['N° de conteneur', 'Réservation', 'Événement', 'Date et heure', 'Statut', 'Lieu', 'Commentaire'],
        [containers[0], booking, 'Navire parti', day('2026-03-10T23:40:00'), 'Réel', 'NINGBO', ''],
        [containers[0], booking, 'Livré', day('2026-04-20T00:00:00'), 'Prévu', '', 'Sur rendez-vous'],
        [containers[0], booking, day('2026-04-20T00:00:00'), day('2026-04-20T00:00:00'), '', '', ''],
      ],
    },
  ])
  const done = await upload(content)
  expect(done.events).toMatchObject([
    { row: 3, outcome: 'applied', code: 'DEPARTED', status: 'actual', date: '2026-03-10T23:40:00+08:00' },
    { row: 4, outcome: 'applied', code: 'DELIVERED', status: 'estimated' },
    {
      row: 5,
      outcome: 'invalid',
      reason: expect.stringContaining('Suivi, row 5, column C (Événement): was made a date') as string,
    },
  ])
  expect(done.warnings).toContainEqual(expect.stringContaining('sheet "Notes" is not read'))
  expect(await events(id)).toMatchObject([{ type: 'origin_port' }, { type: 'delivery' }])
})

test('headings that are not recognised wait for the columns of the sender; the preview with them is what the replay does', async () => {
  const { ship, upload, preview, events, booking, containers, ops, sender, seen } = await startTables()
  const id = await ship()
  const content = csv(
    ['Unit', 'Bkg', 'What', 'When', 'Colour', 'Note'],
    [containers[0], booking, 'VSL DEP (internal)', '03/10/26 11:40 PM', 'red', 'first'],
    [containers[1], '', 'Gate in', '03/09/26', 'red', ''],
    [containers[1], '', 'Gate in', 'soon', 'red', ''],
  )
  const waiting = await upload(content)
  expect(waiting).toMatchObject({ outcome: 'quarantined', events: [] })
  expect(waiting.reason).toContain('has no heading for a reference and what happened and the date')
  for (const heading of ['Unit', 'Bkg', 'What', 'When', 'Colour']) expect(waiting.reason).toContain(`"${heading}"`)

  const columns: TableColumns = {
    columns: [
      { heading: 'unit', field: 'container' },
      { heading: 'BKG', field: 'booking' },
      { heading: 'What', field: 'event' },
      { heading: 'When', field: 'date' },
      { heading: 'Colour', field: 'ignored' },
    ],
    constants: [{ field: 'unlocode', value: 'CNNGB' }],
    dates: 'month-day',
    time_zone: 'Asia/Shanghai',
    status: 'actual',
  }
  const params = { sender }
  expect(await ops('getSenderColumns', undefined, { params })).toBeRefused('columns_not_found')
  const shown = (await preview(content, columns)).body
  expect(shown.headings?.map(({ heading, column, field }) => [heading, column, field])).toEqual([
    ['Unit', 'A', 'container'],
    ['Bkg', 'B', 'booking'],
    ['What', 'C', 'event'],
    ['When', 'D', 'date'],
    ['Colour', 'E', 'ignored'],
    ['Note', 'F', 'remark'],
  ])
  expect(shown).toMatchObject({
    outcome: 'quarantined',
    counts: { events: 3, applied: 2, invalid: 1 },
    events: [
      { row: 2, outcome: 'applied', code: 'OTHER', svc_shipment_id: id, date: '2026-03-10T23:40:00+08:00' },
      { row: 3, outcome: 'applied', code: 'GATE_IN', date: '2026-03-09T00:00:00+08:00' },
      { row: 4, outcome: 'invalid' },
    ],
  })
  // Nothing was stored.
  expect(await events(id)).toEqual([])
  expect((await seen(id)).status).toBe('booked')
  expect(await ops('getSenderColumns', undefined, { params })).toBeRefused('columns_not_found')
  expect((await ops('listMessages', undefined, { query: { sender } })).body.messages).toHaveLength(1)
  expect((await preview(content)).body).toMatchObject({ outcome: 'quarantined', events: [], reason: waiting.reason })

  const saved = await ops('setSenderColumns', undefined, { params, body: columns })
  expect(saved.body).toMatchObject({ sender, ...columns })
  expect((await ops('getSenderColumns', undefined, { params })).body).toEqual(saved.body)
  const ids = { message_id: String(waiting.message_id) }
  const { events: did, counts } = (await ops('replayMessage', undefined, { params: ids })).body
  expect(counts).toEqual(shown.counts)
  expect(did.map(({ event_id: _id, ...event }) => event)).toEqual(shown.events)
  expect(await events(id)).toHaveLength(2)

  // A text that is not known is mapped once for the sender.
  const { codes } = (await ops('listCodes', undefined, { query: { sender, state: 'unknown' } })).body
  expect(codes).toMatchObject([{ format: 'table', code: 'VSL DEP (internal)', count: 1 }])
  const code = { sender, format: 'table', code: 'VSL DEP (internal)' } as const
  expect((await ops('mapCode', undefined, { params: code, body: { mapped_to: 'DEPARTED' } })).body.reopened).toBe(1)
  await whileInboxRuns(service.db, async () => (await seen(id)).status === 'in_progress')
  expect(await events(id)).toHaveLength(2)

  const expected = csv(['Unit', 'What', 'When', 'UN/LOCODE'], [containers[0], 'ETA', '2026-03-09', 'DEHAM'])
  expect((await preview(expected, columns)).body.events).toMatchObject([{ status: 'estimated' }])

  const wrong = {
    columns: [
      { heading: 'A', field: 'date' as const },
      { heading: 'a.', field: 'date' as const },
    ],
    time_zone: 'CST',
  }
  const refused = await ops('setSenderColumns', undefined, { params, body: wrong })
  expect(refused).toBeRefused('invalid_request')
  expect(JSON.stringify(refused.body)).toMatch(/columns\/1\/heading.*columns\/1\/field.*time_zone/)
  expect(await preview(content, wrong)).toBeRefused('invalid_request')
  expect((await ops('removeSenderColumns', undefined, { params })).body).toEqual({ removed: sender })
  expect(await ops('removeSenderColumns', undefined, { params })).toBeRefused('columns_not_found')
})

test('rows are versions by their identifier or by what they say, and what happens twice is kept twice', async () => {
  const { ship, upload, events, dates, booking } = await startTables()
  const id = await ship()
  const header = ['Booking', 'Event', 'Date', 'Status', 'UN/LOCODE', 'Updated at', 'Event ID']
  const arrival = (date: string, updated: string, event_id = '') => [
    booking,
    'Arrived',
    date,
    'estimated',
    'DEHAM',
    updated,
    event_id,
  ]
  // In whatever order versions come.
  await upload(csv(header, arrival('2026-04-16', '2026-03-12'), arrival('2026-04-14', '2026-03-10')))
  await upload(csv(header, arrival('2026-04-15', '2026-03-11')))
  expect((await dates(id)).arrival_date?.date).toBe('2026-04-16T00:00:00+02:00')
  expect(await events(id)).toHaveLength(1)
  await upload(csv(header, [booking, 'Departed', '2026-03-09', 'actual', 'CNNGB', '', 'row-1']))
  await upload(csv(header, [booking, 'Departed', '2026-03-10', 'actual', 'CNNGB', '', 'row-1']))
  expect((await dates(id)).departure_date?.date).toBe('2026-03-10T00:00:00+08:00')
  expect(await events(id)).toHaveLength(2)
  const failed = (date: string) => [booking, 'Delivery failed', date, 'actual', '', '', '']
  await upload(csv(header, failed('2026-04-20 10:05')))
  await upload(csv(header, failed('2026-04-22 09:30'), failed('2026-04-20 10:05')))
  expect((await events(id))?.filter(({ type }) => type === 'delivery')).toHaveLength(2)
})

test('a row waits for the shipment of its purchase order, and several references narrow', async () => {
  const { upload, ship, work, ops, booking, forwarder, preview } = await startTables()
  const reference = `PO-${booking}`
  const header = ['PO number', 'Booking', 'Event', 'Date', 'Port']
  const waiting = await upload(csv(header, [reference, '', 'Gate in', '2026-03-08', 'CNNGB']))
  expect(waiting).toMatchObject({ outcome: 'unmatched', events: [{ outcome: 'unmatched' }] })
  await ship()
  const second = await ship()
  expect((await upload(csv(header, ['', booking, 'Gate in', '2026-03-08', 'CNNGB']))).events).toMatchObject([
    { outcome: 'unmatched', reason: '2 shipments have these references' },
  ])
  await forwarder.imports({
    kind: 'purchase_order',
    data: {
      reference,
      supplier_id: 'x',
      product_lines: [{ reference: '1', ordered_quantity: 10, product: { sku: 's' } }],
    },
  } as never)
  const params = { svc_shipment_id: second, reference, line: '1' }
  expect((await work('assign', { params, body: { assigned_quantity: 4 } })).status).toBe(200)
  expect(
    (await preview(csv(header, [reference, booking, 'Gate in', '2026-03-08', 'CNNGB']))).body.events,
  ).toMatchObject([{ outcome: 'applied', svc_shipment_id: second }])
  await whileInboxRuns(service.db, async () => {
    const ids = { message_id: String(waiting.message_id) }
    return (await ops('getMessage', undefined, { params: ids })).body.outcome === 'applied'
  })
})

test('files that are no tables, formulas, archives that unpack to gigabytes and endless rows are refused without harm', async () => {
  const { upload, preview, ship, booking, events } = await startTables()
  const id = await ship()
  const reasons: Record<string, string | Buffer> = {
    'is neither CSV nor XLSX': Buffer.from('%PDF-1.7 something'),
    'is not a readable XLSX file': zip([['word/document.xml', '<a/>']]),
    'holds more than 32 MiB': zip([['xl/workbook.xml', ' '.repeat(33 * 1024 * 1024)]]),
    'is not UTF-8': Buffer.from('R\xe9f;Date;Event\n', 'latin1'),
    'has more than 5000 rows': csv(
      ['Booking', 'Event', 'Date'],
      ...Array.from({ length: 5200 }, () => ['X', 'Departed', '2026-03-10']),
    ),
    'has no row below its headings': csv(['Booking', 'Event', 'Date']),
    'is not valid CSV': 'Booking;Event;Date\n"X;Y;Z\n',
    'has more than 200 columns': `${'a;'.repeat(300)}b\n`,
  }
  for (const [reason, content] of Object.entries(reasons)) {
    const done = await upload(content)
    expect(done, reason).toMatchObject({ outcome: 'unreadable', reason: expect.stringContaining(reason) as string })
    if (reason.startsWith('holds'))
      expect((await preview(content)).body, reason).toMatchObject({ outcome: 'unreadable', reason: done.reason })
  }
  const formula = csv(
    ['Booking', 'Event', 'Date', 'Port', 'Remark'],
    [booking, '=cmd|calc!A1', '2026-03-10', 'CNNGB', '=HYPERLINK(A1)'],
    [booking, 'Departed', '2026-03-10', 'CNNGB\u0000', '\u202etxt'],
    [booking, 'Departed'.repeat(2000), '2026-03-10', 'CNNGB', 'x'.repeat(5000)],
  )
  const done = await upload(formula.replace('\u0000', ''))
  expect(done.counts).toMatchObject({ events: 3 })
  expect((await events(id))?.map(({ description }) => description)).toContain('=cmd|calc!A1')
})

test('a row that is marked as retracted takes its event back, and once it is sent without the mark the event counts again', async () => {
  const { ship, upload, dates, booking, events } = await startTables()
  const id = await ship()
  const sheet = (mark: string, heading = 'Retracted') =>
    csv(
      ['Booking', 'Event', 'Date', 'Status', 'Port', 'Issued at', heading],
      [booking, 'Vessel departed', '2026-03-10 08:00', 'actual', 'CNNGB', '2026-03-10 20:00', ''],
      [booking, 'Arrived', '2026-04-01 08:00', 'actual', 'DEHAM', '2026-04-01 20:00', mark],
    )
  await upload(sheet(''))
  expect((await dates(id)).arrival_date?.status).toBe('actual')
  // Issued at the same time as what it takes back.
  expect(await upload(sheet('oui', 'Événement annulé'))).toMatchObject({ outcome: 'applied' })
  expect(await dates(id)).not.toHaveProperty('arrival_date')
  expect(await events(id)).toHaveLength(1)
  expect((await upload(`${sheet('')}\n`)).counts).toMatchObject({ unchanged: 2 })
  const wrong = await upload(sheet('perhaps'))
  expect(wrong.reason).toContain('it must be yes, no or empty')
  await upload(sheet('no').replaceAll('20:00', '21:00'))
  expect((await dates(id)).arrival_date?.status).toBe('actual')
})
