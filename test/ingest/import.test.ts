import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ImportLine } from '../../src/contract/import-line.js'
import { importLines } from '../../src/ingest/lines/import.js'
import type { LineFault } from '../../src/ingest/lines/report.js'
import { findAccount } from '../../src/store/accounts.js'
import { type Line, line, newAccount } from '../support/account.js'
import { startService } from '../support/service.js'

const service = await startService()

const documentId = '0b1e6a52-3f0c-4f0e-9d2f-2f6d5d1c9a01'

/** One of everything that an account may have. */
const everything: Line[] = [
  { kind: 'location', data: { id: 7, name: 'Depot', zip_code: '75001', country: 'FR' } },
  { kind: 'shipment', data: { svc_shipment_id: 'S-1', status: 'booked', created_at: '2026-03-04T10:00:00+08:00' } },
  { kind: 'tracking', data: { svc_shipment_id: 'S-1', status: 'in_transit', tracking_steps: [{ type: 'pickup' }] } },
  {
    kind: 'tracking_event',
    data: { svc_shipment_id: 'S-1', event_id: 'E-1', sequence: 1, step: '1', description: 'Picked up' },
  },
  {
    kind: 'tracking_position',
    data: { svc_shipment_id: 'S-1', position_id: 'P-1', sequence: 1, latitude: '1.5', longitude: '2.5' },
  },
  { kind: 'invoice', data: { reference: 'INV-1', number: 'F-1', svc_shipment_id: 'S-1', status: 'due' } },
  {
    kind: 'payment',
    data: { payment_id: 'PAY-1', reference: 'INV-1', amount: 10, currency: 'EUR', paid_on: '2026-03-05' },
  },
  {
    kind: 'document',
    data: {
      id: documentId,
      name: 'a.txt',
      svc_shipment_id: 'S-1',
      content_base64: Buffer.from('hello').toString('base64'),
    },
  },
  { kind: 'purchase_order', data: { reference: 'PO-1', product_lines: [line({ reference: '1' })] } },
  { kind: 'assignment', data: { reference: 'PO-1', line: '1', svc_shipment_id: 'S-1', assigned_quantity: 4 } },
]

const nothing = { created: 0, updated: 0, unchanged: 0 }

test('every kind of line is stored and served', async () => {
  const { call, forwarder } = await newAccount(service)
  const { kept, summary } = await forwarder.imports(...everything)
  expect(kept).toBe(true)
  const one = { ...nothing, created: 1 }
  expect(summary).toEqual({
    lines: 10,
    rejected: 0,
    kinds: {
      account: nothing,
      location: one,
      shipment: one,
      tracking: one,
      tracking_event: one,
      tracking_position: one,
      invoice: one,
      payment: one,
      document: one,
      purchase_order: one,
      assignment: one,
      // test/ingest/export-messages.test.ts has lines of these.
      document_proposal: nothing,
      message: nothing,
      message_file: nothing,
      exception: nothing,
    },
  })

  expect((await call('getLocation', { params: { id: '7' } })).body).toEqual({
    id: 7,
    name: 'Depot',
    zip_code: 75001,
    country: 'FR',
  })
  expect((await call('getShipment', { params: { svc_shipment_id: 'S-1' } })).body).toEqual({
    svc_shipment_id: 'S-1',
    status: 'booked',
    created_at: '2026-03-04T10:00:00+08:00',
    needs_ad_valorem_insurance: false,
    purchase_order_references: ['PO-1'],
    invoice_status: 'due',
    invoice_references: ['F-1'],
  })
  expect((await call('getTracking', { params: { svc_shipment_id: 'S-1' } })).body).toEqual({
    svc_shipment_id: 'S-1',
    status: 'in_transit',
    tracking_steps: [{ type: 'pickup', events: [{ description: 'Picked up' }] }],
    ocean_coordinates: [{ latitude: '1.5', longitude: '2.5' }],
  })
  expect((await call('getInvoice', { params: { reference: 'F-1' } })).body.reference).toBe('INV-1')
  expect((await call('listDocuments')).body).toMatchObject([{ id: documentId, name: 'a.txt', type: null, size: 5 }])
  expect((await call('getPurchaseOrder', { params: { reference: 'PO-1' } })).body.purchase_order_lines).toMatchObject([
    { assigned_order_lines: [{ svc_shipment_id: 'S-1', shipment_status: 'booked', assigned_quantity: 4 }] },
  ])
})

test('an account line creates the account, and gives an existing one its new name', async () => {
  const slug = `test-${randomBytes(6).toString('hex')}`
  const shipment: ImportLine = { kind: 'shipment', account: slug, data: { svc_shipment_id: 'S-1' } }
  const first = await importText(textOf([{ kind: 'account', account: slug, data: { name: 'Before' } }, shipment]))
  expect(first.outcome.summary.kinds.account).toEqual({ ...nothing, created: 1 })
  expect(first.outcome.summary.kinds.shipment).toEqual({ ...nothing, created: 1 })
  expect(await nameOf(slug)).toBe('Before')

  const second = await importText(textOf([{ kind: 'account', account: slug, data: { name: 'After' } }, shipment]))
  expect(second.outcome.summary.kinds.account).toEqual({ ...nothing, updated: 1 })
  expect(await nameOf(slug)).toBe('After')

  const third = await importText(textOf([{ kind: 'account', account: slug, data: { name: 'After' } }]))
  expect(third.outcome.summary.kinds.account).toEqual({ ...nothing, unchanged: 1 })
})

test('a line for something that exists replaces it as a whole', async () => {
  const { call, forwarder } = await newAccount(service)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1', name: 'Before', status: 'draft' } })
  const { summary } = await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1', status: 'booked' } })
  expect(summary.kinds.shipment).toEqual({ ...nothing, updated: 1 })
  const { body } = await call('getShipment', { params: { svc_shipment_id: 'S-1' } })
  expect(body.status).toBe('booked')
  expect(body).not.toHaveProperty('name')
})

test('running an import twice changes nothing: no revision, no entry in the change log, the same bytes', async () => {
  const { id, call, forwarder } = await newAccount(service)
  await forwarder.imports(...everything)
  const before = { log: await logOf(id), answers: await answersOf(call) }
  const { summary } = await forwarder.imports(...everything)
  for (const kind of everything.map((given) => given.kind)) {
    expect(summary.kinds[kind]).toEqual({ ...nothing, unchanged: 1 })
  }
  expect({ log: await logOf(id), answers: await answersOf(call) }).toEqual(before)
})

test('lines may come in any order', async () => {
  const inOrder = await newAccount(service)
  const backwards = await newAccount(service)
  await inOrder.forwarder.imports(...everything)
  await backwards.forwarder.imports(...everything.toReversed())
  expect(await answersOf(backwards.call)).toEqual(await answersOf(inOrder.call))
})

test('the account of a line may come after it', async () => {
  const slug = `test-${randomBytes(6).toString('hex')}`
  const { outcome, faults } = await importText(
    textOf([
      { kind: 'location', account: slug, data: { id: 1 } },
      { kind: 'account', account: slug, data: { name: 'Late' } },
    ]),
  )
  expect(faults).toEqual([])
  expect(outcome.summary.kinds.location.created).toBe(1)
})

test('of several lines for one thing the last one counts', async () => {
  const { call, forwarder } = await newAccount(service)
  const { summary } = await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S-1', name: 'first' } },
    {
      kind: 'purchase_order',
      data: { reference: 'PO-1', product_lines: [line({ reference: '1', ordered_quantity: 1 })] },
    },
    { kind: 'assignment', data: { reference: 'PO-1', line: '1', svc_shipment_id: 'S-1', assigned_quantity: 9 } },
    { kind: 'shipment', data: { svc_shipment_id: 'S-1', name: 'second' } },
    {
      kind: 'purchase_order',
      data: { reference: 'PO-1', product_lines: [line({ reference: '1', ordered_quantity: 5 })] },
    },
    { kind: 'assignment', data: { reference: 'PO-1', line: '1', svc_shipment_id: 'S-1', assigned_quantity: 5 } },
    { kind: 'shipment', data: { svc_shipment_id: 'S-1', name: 'third' } },
  )
  expect(summary.lines).toBe(7)
  expect(summary.kinds.shipment).toEqual({ ...nothing, created: 1 })
  expect((await call('getShipment', { params: { svc_shipment_id: 'S-1' } })).body.name).toBe('third')
  const order = await call('getPurchaseOrder', { params: { reference: 'PO-1' } })
  expect(order.body.purchase_order_lines).toMatchObject([
    { ordered_quantity: 5, assigned_order_lines: [{ assigned_quantity: 5 }] },
  ])
})

test('more things of a kind than are stored at once are all stored, in their order', async () => {
  const { call, forwarder } = await newAccount(service)
  const count = 1203
  const lines = Array.from({ length: count }, (_, index): Line => ({ kind: 'location', data: { id: index } }))
  await forwarder.imports(...lines)
  const { body } = await call('listLocations')
  expect(body.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, index) => index))
})

const forms: [string, (lines: string[]) => string][] = [
  ['blank lines between them', (lines) => `\n\n${lines.join('\n \t\n\n')}\n\n`],
  ['lines that end with CR LF', (lines) => `${lines.join('\r\n')}\r\n\r\n`],
  ['a byte order mark at the start', (lines) => `\uFEFF${lines.join('\n')}\n`],
  ['no line feed at the end', (lines) => lines.join('\n')],
]

test.each(forms)('a file may have %s', async (_, write) => {
  const { slug, call } = await newAccount(service)
  const lines = [1, 2, 3].map((id) => JSON.stringify({ kind: 'location', account: slug, data: { id } }))
  const { outcome, faults } = await importText(write(lines))
  expect(faults).toEqual([])
  expect(outcome.summary.lines).toBe(3)
  expect((await call('listLocations')).body).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
})

test('only a line feed ends a line: other separators are part of a text, and come back as they were', async () => {
  const { slug, call } = await newAccount(service)
  const name = 'one\u2028two\u2029three\u0085four\u000b\f\t\r\n\\N\\.'
  await importText(textOf([{ kind: 'location', account: slug, data: { id: 1, name } }]))
  expect((await call('getLocation', { params: { id: '1' } })).body.name).toBe(name)
})

test('a file that arrives byte by byte is read as one', async () => {
  const { slug, call } = await newAccount(service)
  const text = textOf([
    { kind: 'location', account: slug, data: { id: 1, name: 'Zürich 深圳 🚢' } },
    { kind: 'location', account: slug, data: { id: 2 } },
  ])
  const bytes = [...Buffer.from(text)].map((byte) => Buffer.of(byte))
  const { faults } = await importText(bytes)
  expect(faults).toEqual([])
  expect((await call('listLocations')).body).toEqual([{ id: 1, name: 'Zürich 深圳 🚢' }, { id: 2 }])
})

test('an empty file is a good one', async () => {
  expect((await importText('')).outcome).toMatchObject({ kept: true, summary: { lines: 0, rejected: 0 } })
})

function textOf(lines: ImportLine[]): string {
  return lines.map((given) => `${JSON.stringify(given)}\n`).join('')
}

async function importText(text: string | Buffer[]) {
  const faults: LineFault[] = []
  const outcome = await importLines(service, streamOf(typeof text === 'string' ? [Buffer.from(text)] : text), {
    folder: service.dataFolder,
    skipInvalid: false,
    author: 'test',
    onFault: (fault) => faults.push(fault),
  })
  return { outcome, faults }
}

async function* streamOf(chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

async function nameOf(slug: string): Promise<string | undefined> {
  const [row] = await service.db<{ name: string }[]>`
    select name from accounts where account_id = ${(await findAccount(service.db, slug)) ?? 0}`
  return row?.name
}

async function logOf(account: number) {
  return {
    account: await service.db`select * from accounts where account_id = ${account}`,
    changes: await service.db`select * from changes where account_id = ${account} order by kind, id, revision`,
  }
}

async function answersOf(call: Awaited<ReturnType<typeof newAccount>>['call']): Promise<string[]> {
  const answers = [
    await call('listShipments'),
    await call('listPurchaseOrders'),
    await call('listLocations'),
    await call('listInvoices'),
    await call('getTracking', { params: { svc_shipment_id: 'S-1' } }),
  ]
  const documents = (await call('listDocuments')).body.map(({ link: _link, ...rest }) => rest)
  return [...answers.map(({ text }) => text), JSON.stringify(documents)]
}
