import { expect, test } from 'vitest'
import { importLines } from '../../src/ingest/lines/import.js'
import type { LineFault } from '../../src/ingest/lines/report.js'
import { type Line, line, newAccount, type TestAccount } from '../support/account.js'
import { startService } from '../support/service.js'

/** Several lines of a file for one thing, some of them bad: with --skip-invalid the last good one counts. */

const service = await startService()

const shipments: Line[] = ['S-1', 'S-2'].map((svc_shipment_id) => ({ kind: 'shipment', data: { svc_shipment_id } }))
const order = (ordered_quantity: number, reference = '1'): Line => ({
  kind: 'purchase_order',
  data: { reference: 'PO-1', product_lines: [line({ reference, ordered_quantity })] },
})
const assignment = (assigned_quantity: number, svc_shipment_id = 'S-1'): Line => ({
  kind: 'assignment',
  data: { reference: 'PO-1', line: '1', svc_shipment_id, assigned_quantity },
})
const invoice = (svc_shipment_id: string): Line => ({ kind: 'invoice', data: { reference: 'I-1', svc_shipment_id } })
const document = (svc_shipment_id: string): Line => ({
  kind: 'document',
  data: { id: '6f0a7a4e-53c5-4a0e-8e7d-0c3b5b0f9a11', name: 'a.txt', svc_shipment_id, content_base64: 'aGk=' },
})
const tracking = (svc_shipment_id: string): Line => ({ kind: 'tracking', data: { svc_shipment_id } })

test.each([
  ['after', [invoice('S-1'), invoice('NOPE'), document('S-1'), document('NOPE')], [2, 4]],
  ['before', [invoice('NOPE'), invoice('S-1'), document('NOPE'), document('S-1')], [1, 3]],
])('a line for an unknown shipment %s a good one is bad, and the good one is kept', async (_, lines, bad) => {
  const account = await newAccount(service)
  await account.forwarder.imports(...shipments)
  const { rejected, faults } = await importsGood(account, ...lines)
  expect(rejected).toEqual(bad)
  expect(faults.map(({ pointer }) => pointer)).toEqual(['/data/svc_shipment_id', '/data/svc_shipment_id'])
  expect((await account.call('listInvoices')).body).toMatchObject([{ reference: 'I-1', svc_shipment_id: 'S-1' }])
  expect((await account.call('listDocuments')).body).toMatchObject([{ svc_shipment_id: 'S-1' }])
})

test('without --skip-invalid a bad line is bad, even when a good one for the same thing follows', async () => {
  const { forwarder } = await newAccount(service)
  const { outcome, faults } = await forwarder.triesToImport(...shipments, invoice('NOPE'), invoice('S-1'))
  expect(outcome.kept).toBe(false)
  expect(faults).toMatchObject([{ line: 3 }])
})

test('each of several lines for something unknown is reported', async () => {
  const account = await newAccount(service)
  const { rejected } = await importsGood(
    account,
    ...shipments,
    tracking('NOPE'),
    tracking('NOPE'),
    assignment(1),
    assignment(2),
  )
  expect(rejected).toEqual([3, 4, 5, 6])
  const other = await importsGood(
    account,
    order(10, 'other'),
    assignment(1),
    assignment(2),
    assignment(1, 'NOPE'),
    assignment(2, 'NOPE'),
  )
  expect(other.rejected).toEqual([2, 3, 4, 5])
})

test('an assignment of too much falls back to the line before it, and then to what is stored', async () => {
  const account = await newAccount(service)
  const first = await importsGood(account, ...shipments, order(10), assignment(5), assignment(50))
  expect(first.rejected).toEqual([5])
  expect(await assignedTo(account)).toEqual({ 'S-1': 5 })
  const second = await importsGood(account, assignment(20), assignment(7), assignment(30), assignment(40))
  expect(second.rejected).toEqual([3, 4])
  expect(await assignedTo(account)).toEqual({ 'S-1': 7 })
  expect((await importsGood(account, assignment(20), assignment(30))).rejected).toEqual([1, 2])
  expect(await assignedTo(account)).toEqual({ 'S-1': 7 })
})

test('of assignments that are too much together, the last line of the file goes first, fallen back or not', async () => {
  const account = await newAccount(service)
  const { rejected } = await importsGood(
    account,
    ...shipments,
    order(10),
    assignment(6, 'S-1'),
    assignment(5, 'S-2'),
    assignment(11, 'S-1'),
  )
  expect(rejected).toEqual([5, 6])
  expect(await assignedTo(account)).toEqual({ 'S-1': 6 })
})

test('an order that leaves no room falls back to the line before it, and then to what is stored', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(...shipments, order(10), assignment(4))
  expect((await importsGood(account, order(8), order(3), order(9, 'another'))).rejected).toEqual([2, 3])
  expect(await orderedOf(account)).toEqual([8])
  expect((await importsGood(account, order(2), order(3))).rejected).toEqual([1, 2])
  expect(await orderedOf(account)).toEqual([8])
})

test('thousands of assignments that are too much are rejected one by one, in a moment', async () => {
  const account = await newAccount(service)
  const ids = Array.from({ length: 8000 }, (_, index) => `S-${index}`)
  const { rejected } = await importsGood(
    account,
    ...ids.map((svc_shipment_id): Line => ({ kind: 'shipment', data: { svc_shipment_id } })),
    order(1),
    ...ids.map((id) => assignment(1, id)),
  )
  expect(rejected).toHaveLength(7999)
  expect(await assignedTo(account)).toEqual({ 'S-0': 1 })
})

async function importsGood(account: TestAccount, ...lines: Line[]) {
  const faults: LineFault[] = []
  const text = lines.map((given) => `${JSON.stringify({ ...given, account: account.slug })}\n`).join('')
  const { kept, rejectedLines } = await importLines(service, only(Buffer.from(text)), {
    folder: service.dataFolder,
    skipInvalid: true,
    author: 'test',
    onFault: (fault) => faults.push(fault),
  })
  expect(kept).toBe(true)
  // A line is reported once.
  expect(faults).toHaveLength(rejectedLines.size)
  return { faults, rejected: [...rejectedLines].toSorted((one, other) => one - other) }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function linesOf({ call }: TestAccount) {
  return (await call('getPurchaseOrder', { params: { reference: 'PO-1' } })).body.purchase_order_lines ?? []
}

async function assignedTo(account: TestAccount): Promise<Record<string, number>> {
  const assigned = (await linesOf(account)).flatMap(({ assigned_order_lines }) => assigned_order_lines ?? [])
  return Object.fromEntries(
    assigned.map(({ svc_shipment_id, assigned_quantity }) => [svc_shipment_id, assigned_quantity]),
  )
}

async function orderedOf(account: TestAccount): Promise<(number | undefined)[]> {
  return (await linesOf(account)).map(({ ordered_quantity }) => ordered_quantity)
}
