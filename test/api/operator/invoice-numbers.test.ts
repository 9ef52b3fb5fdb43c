import { expect, test, vi } from 'vitest'
import { charge, startInvoicing } from '../../support/invoices.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

const service = await startService()

// Series belong to the forwarder, not to an account: each test uses other years.
const inYear = (year: number) => ({ sent_date: `${year}-06-01T12:00:00Z` })
const numbersOf = (series: string, year: number, count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => `${series}-${year}-${String(first + index).padStart(6, '0')}`)

test('20 invoices issued concurrently in two accounts get numbers without gaps or duplicates', async () => {
  const accounts = [await startInvoicing(service), await startInvoicing(service)]
  const drafts = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const account = accounts[index % 2]!
      return { account, reference: await account.draft(charge(10)) }
    }),
  )
  const issued = await Promise.all(drafts.map(({ account, reference }) => account.issue(reference, inYear(1901))))
  expect(issued.map(({ record }) => record.number ?? '').toSorted()).toEqual(numbersOf('INV', 1901, 20))
  for (const { call } of accounts) expect((await call('listInvoices')).body).toHaveLength(10)
})

test('a refused issue leaves no gap, with and without an idempotency key', async () => {
  const { slug, ops, invoice, draft, issue, credit, move, replace } = await startInvoicing(service)
  const reference = await invoice(charge(100))
  const note = (await credit(reference, charge(60))).body.id
  await move(reference, 'in_modification')
  await replace(reference, charge(50))
  const refused = { params: { reference: note }, body: inYear(1902) }
  expect(await ops('issueInvoice', slug, refused)).toBeRefused('credit_exceeds_invoice')
  expect(await ops('issueInvoice', slug, { ...refused, idempotencyKey: 'k' })).toBeRefused('credit_exceeds_invoice')
  await replace(reference, charge(100))
  const first = await issue(note, inYear(1902))
  expect(first.record.number).toBe('CN-1902-000001')
  expect(await ops('issueInvoice', slug, refused)).toBeRefused('invoice_issued')
  const second = (await credit(reference, charge(1))).body.id
  expect((await issue(second, inYear(1902))).record.number).toBe('CN-1902-000002')
  // Invoices have a separate series.
  expect((await issue(await draft(charge(1)), inYear(1902))).record.number).toBe('INV-1902-000001')
})

test('a retried issue takes one number', async () => {
  const { slug, ops, draft, issue } = await startInvoicing(service)
  const request = { params: { reference: await draft(charge(1)) }, body: inYear(1903), idempotencyKey: 'once' }
  const [one, other] = await Promise.all([ops('issueInvoice', slug, request), ops('issueInvoice', slug, request)])
  expect(one.text).toBe(other.text)
  expect((await issue(await draft(charge(1)), inYear(1903))).record.number).toBe('INV-1903-000002')
})

test('the year of a number is the year of the date as written', async () => {
  const { draft, issue } = await startInvoicing(service)
  const late = await issue(await draft(charge(1)), { sent_date: '1904-12-31T23:30:00-05:00' })
  expect(late.record.number).toBe('INV-1904-000001')
  const now = await issue(await draft(charge(1)))
  expect(now.record.sent_date).toMatch(/Z$/)
  expect(now.record.number).toMatch(new RegExp(`^INV-${now.record.sent_date?.slice(0, 4)}-\\d{6}$`))
})

test('imported numbers are never assigned again, in any account', async () => {
  const { forwarder, draft, issue, slug, ops } = await startInvoicing(service)
  const other = await startInvoicing(service)
  await forwarder.imports(
    { kind: 'invoice', data: { reference: 'A', number: 'INV-1905-000041', type: 'invoice' } },
    { kind: 'invoice', data: { reference: 'B', number: 'INV-1905-000007', type: 'invoice' } },
    { kind: 'invoice', data: { reference: 'C', number: 'CN-1905-000002', type: 'credit_note' } },
    { kind: 'invoice', data: { reference: 'D', number: 'INV-1905-41000', type: 'invoice' } },
  )
  expect((await other.issue(await other.draft(charge(1)), inYear(1905))).record.number).toBe('INV-1905-000042')
  expect((await issue(await draft(charge(1)), inYear(1905))).record.number).toBe('INV-1905-000043')
  const { faults } = await forwarder.triesToImport(
    { kind: 'invoice', data: { reference: 'E', number: 'INV-1905-000099' } },
    { kind: 'invoice', data: { reference: 'F', svc_shipment_id: 'nowhere' } },
  )
  expect(faults).toHaveLength(1)
  expect((await issue(await draft(charge(1)), inYear(1905))).record.number).toBe('INV-1905-000044')
  // A lower imported number does not move the series back.
  await forwarder.imports({ kind: 'invoice', data: { reference: 'G', number: 'INV-1905-000001' } })
  expect((await issue(await draft(charge(1)), inYear(1905))).record.number).toBe('INV-1905-000045')
  expect((await ops('getInvoice', slug, { params: { reference: 'INV-1905-000041' } })).body.id).toBe('A')
})

test('a number that exists in the account is skipped even if its series does not know it', async () => {
  const { forwarder, draft, issue } = await startInvoicing(service)
  await forwarder.imports({ kind: 'invoice', data: { reference: 'A', number: 'INV-1906-000001' } })
  // As in a database whose numbers were imported before series existed.
  await service.db`delete from number_series where year = 1906`
  expect((await issue(await draft(charge(1)), inYear(1906))).record.number).toBe('INV-1906-000002')
})

test('an import that waits for one of its accounts does not block issuing in others', async () => {
  const given = [await startInvoicing(service), await startInvoicing(service)]
  const [first, second] = given.toSorted((one, other) => (one.slug < other.slug ? -1 : 1))
  const other = await startInvoicing(service)
  const reference = await other.draft(charge(1))
  const line = (account: string, number: string) =>
    JSON.stringify({ kind: 'invoice', account, data: { reference: 'A', number } })
  const body = [line(first!.slug, 'INV-1907-000500'), line(second!.slug, 'CN-1907-000500')].join('\n')
  const { key } = await newOperator(service, 'admin')
  let imported: Promise<Response> | undefined
  await service.db.begin(async (sql) => {
    // Another transaction writes to the last account of the import.
    const [own] = await sql<{ pid: number }[]>`
      select pg_backend_pid() as pid from accounts where slug = ${second!.slug} for update`
    imported = fetch(`${service.baseUrl}/ops/v1/import`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    })
    await vi.waitFor(async () => {
      const waiting = await service.db`select from pg_stat_activity where ${own!.pid} = any(pg_blocking_pids(pid))`
      expect(waiting).toHaveLength(1)
    }, 10_000)
    expect((await other.issue(reference, inYear(1907))).record.number).toBe('INV-1907-000001')
  })
  expect((await imported)?.status).toBe(200)
  expect((await other.issue(await other.draft(charge(1)), inYear(1907))).record.number).toBe('INV-1907-000501')
})

test('imported drafts stay hidden, are validated when issued, and credit notes keep their invoice', async () => {
  const { forwarder, slug, ops, call, issue, get, invoice, shipment } = await startInvoicing(service)
  const reference = await invoice(charge(10))
  await forwarder.imports(
    {
      kind: 'invoice',
      data: { reference: 'A', svc_shipment_id: 'S-1', draft: true, status: 'new', lines: [charge(3)] },
    },
    {
      kind: 'invoice',
      data: { reference: 'D', number: 'OLD-1', svc_shipment_id: 'S-1', draft: true, status: 'due', lines: [charge(3)] },
    },
    { kind: 'invoice', data: { reference: 'B', draft: true, status: 'new', lines: [{ description: 'No price' }] } },
    {
      kind: 'invoice',
      data: {
        reference: 'C',
        type: 'credit_note',
        status: 'available',
        credited_invoice: reference,
        lines: [charge(4)],
      },
    },
  )
  expect((await call('listInvoices')).body.map((each) => each.reference).toSorted()).toEqual(
    ['C', reference].toSorted(),
  )
  expect(await call('getInvoice', { params: { reference: 'OLD-1' } })).toBeRefused('invoice_not_found')
  expect((await shipment()).invoice_references).toHaveLength(1)
  expect((await shipment()).invoice_status).toBe('available')
  const refused = await ops('issueInvoice', slug, { params: { reference: 'B' }, body: {} })
  expect(refused.problem.errors).toMatchObject([{ pointer: '/lines/0/price' }])
  expect((await issue('A', inYear(1908))).record).toMatchObject({ number: 'INV-1908-000001', type: 'invoice' })
  expect((await shipment()).invoice_references).toHaveLength(2)
  // An imported number is kept.
  expect((await issue('D', inYear(1908))).record.number).toBe('OLD-1')
  expect(await get(reference)).toMatchObject({ credit_notes: ['C'], outstanding: [{ amount: 6 }] })
})
