import { expect, test } from 'vitest'
import { invoiceStatuses } from '../../../src/contract/public/invoice.js'
import { charge, price, startInvoicing } from '../../support/invoices.js'
import { newOperator } from '../../support/operator.js'
import { textOf } from '../../support/pdf-text.js'
import { startService } from '../../support/service.js'

const service = await startService({ forwarderName: 'Northgate Forwarding' })

test("the account's view of an invoice follows every step of its life cycle", async () => {
  const { slug, ops, call, get, pay, credit, issue, shipment } = await startInvoicing(service)
  const reference = 'ERP/2026/7'
  const address = { params: { reference } }

  const drafted = await ops('draftInvoice', slug, {
    body: {
      reference,
      svc_shipment_id: 'S-1',
      lines: [
        { description: 'Freight', quantity: { value: 3, unit: 'cbm' }, unit_rate: price(33.3333), vatRate: 0 },
        { description: 'Clearance', price: price(100), vatRate: 19 },
      ],
    },
  })
  expect(drafted.status).toBe(201)
  expect(drafted.headers.get('location')).toBe(`/ops/v1/accounts/${slug}/invoices/ERP%2F2026%2F7`)
  expect(drafted.body).toMatchObject({ id: reference, record: { status: 'new', type: 'invoice', draft: true } })
  // 3 x 33.3333 = 99.9999.
  expect(drafted.body.record.lines?.[0]?.price).toEqual(price(100))
  expect(drafted.body.totals).toEqual([
    {
      currency: 'EUR',
      net: 200,
      vat: [
        { rate: 0, net: 100, amount: 0 },
        { rate: 19, net: 100, amount: 19 },
      ],
      gross: 219,
    },
  ])
  expect(drafted.body.shown).toBeUndefined()
  expect(drafted.body.outstanding).toEqual([])
  expect(await call('getInvoice', address)).toBeRefused('invoice_not_found')
  expect((await call('listInvoices')).body).toEqual([])
  expect(await shipment()).toMatchObject({ invoice_status: 'awaiting_invoice' })
  expect((await shipment()).invoice_references ?? []).toEqual([])

  const issued = await ops('issueInvoice', slug, {
    ...address,
    body: { sent_date: '1975-03-10T09:00:00+01:00', due_date: '2026-04-09' },
  })
  const number = issued.body.record.number as string
  expect(number).toMatch(/^INV-1975-\d{6}$/)
  const seen = await call('getInvoice', address)
  expect(seen.body).toEqual({
    reference,
    number,
    svc_shipment_id: 'S-1',
    type: 'invoice',
    status: 'available',
    sent_date: '1975-03-10T09:00:00+01:00',
    due_date: '2026-04-09',
    lines: issued.body.record.lines,
  })
  expect(issued.body.shown).toEqual(seen.body)
  expect((await call('getInvoice', { params: { reference: number } })).body).toEqual(seen.body)
  expect((await call('listInvoices')).body).toEqual([seen.body])
  expect(await shipment()).toMatchObject({ invoice_status: 'available', invoice_references: [number] })
  expect((await get(number)).id).toBe(reference)

  await ops('moveInvoice', slug, { ...address, body: { status: 'due' } })
  expect((await call('getInvoice', address)).body.status).toBe('due')
  expect((await shipment()).invoice_status).toBe('due')

  const paid = await pay(number, 100)
  expect(paid.status).toBe(201)
  expect(paid.body.outstanding).toEqual([price(119)])
  expect(paid.body.payments).toMatchObject([{ reference, amount: 100, currency: 'EUR', paid_on: '2026-04-01' }])
  expect((await call('getInvoice', address)).body.status).toBe('partially_paid')
  expect((await shipment()).invoice_status).toBe('partially_paid')

  const note = await credit(reference, charge(19))
  expect(note.body.record).toMatchObject({ type: 'credit_note', credited_invoice: reference, svc_shipment_id: 'S-1' })
  expect((await get(reference)).outstanding).toEqual([price(119)])
  expect((await call('listInvoices')).body).toHaveLength(1)
  const noted = await issue(note.body.id, { sent_date: '1975-04-02T00:00:00Z' })
  expect(noted.record.number).toMatch(/^CN-1975-\d{6}$/)
  expect((await get(reference)).outstanding).toEqual([price(100)])
  expect((await get(reference)).credit_notes).toEqual([note.body.id])
  const seenNote = await call('getInvoice', { params: { reference: noted.record.number as string } })
  expect(seenNote.body).toEqual(noted.shown)
  expect(seenNote.text).not.toContain('credited_invoice')
  expect((await shipment()).invoice_references).toEqual([number, noted.record.number])

  const last = await pay(reference, 100)
  expect(last.body.outstanding).toEqual([price(0)])
  expect((await call('getInvoice', address)).body.status).toBe('paid')
  expect((await shipment()).invoice_status).toBe('paid')
})

test('a draft gets a pronounceable reference, can be replaced and discarded, and is listed for operators', async () => {
  const { slug, ops, draft, invoice, replace, credit, call } = await startInvoicing(service)
  const reference = await draft(charge(10))
  expect(reference).toMatch(/^INV-[2-9A-HJ-NP-Z]{6}$/)
  expect((await replace(reference, charge(12.5))).body.totals).toMatchObject([{ gross: 12.5 }])
  const note = await credit(await invoice(charge(10)), charge(1))
  expect(note.body.id).toMatch(/^CRN-[2-9A-HJ-NP-Z]{6}$/)
  const listed = await ops('listInvoices', slug)
  expect(listed.body.map(({ id }) => id)).toContain(reference)
  expect(listed.body).toHaveLength(3)
  const discarded = await ops('discardDraft', slug, { params: { reference }, query: { reason: 'Typed twice' } })
  expect(discarded.body).toEqual({ removed: reference })
  expect(await ops('getInvoice', slug, { params: { reference } })).toBeRefused('invoice_not_found')
  const history = await ops('getHistory', slug, { params: { kind: 'invoice', id: reference } })
  expect(history.body.map(({ what }) => what)).toEqual(['removed', 'updated', 'created'])
  expect(history.body[0]?.reason).toBe('Typed twice')
  expect((await call('listInvoices')).body).toHaveLength(1)
})

test('amounts have the digits of their currency, and VAT is rounded half up', async () => {
  const { slug, ops } = await startInvoicing(service)
  const times = (value: number, amount: number, currency: 'KRW' | 'KWD' | 'EUR', vatRate = 0) => ({
    description: 'Freight',
    quantity: { value },
    unit_rate: price(amount, currency),
    vatRate,
  })
  const drafted = await ops('draftInvoice', slug, {
    body: {
      lines: [times(1, 2.5, 'KRW'), times(1, 3.5, 'KRW'), times(1, 1.0005, 'KWD'), times(1, 1.0015, 'KWD')],
    },
  })
  expect(drafted.body.record.lines?.map((line) => line.price?.amount)).toEqual([3, 4, 1.001, 1.002])
  expect(drafted.body.totals.map(({ currency, gross }) => [currency, gross])).toEqual([
    ['KRW', 7],
    ['KWD', 2.003],
  ])
  // 5 % of 0.10 and 0.30 are 0.005 and 0.015; of their sum 0.02, which is not a tie.
  const vat = await ops('draftInvoice', slug, { body: { lines: [charge(0.1, 'EUR', 5), charge(0.3, 'EUR', 5)] } })
  expect(vat.body.totals).toMatchObject([{ net: 0.4, vat: [{ amount: 0.02 }], gross: 0.42 }])
  const half = await ops('draftInvoice', slug, { body: { lines: [charge(0.1, 'EUR', 5), charge(0.5, 'USD', 5)] } })
  expect(half.body.totals.map((total) => total.vat[0]?.amount)).toEqual([0.01, 0.03])
})

test('every fault of a draft is named, and nothing of it is stored', async () => {
  const { slug, ops, expectRefused } = await startInvoicing(service)
  const responses = await ops('draftInvoice', slug, {
    body: {
      svc_shipment_id: 'S-2',
      lines: [
        { description: 'Freight', quantity: { value: 2 }, unit_rate: price(1.5), price: price(4) },
        { description: 'Handling', price: price(1.5, 'KRW') },
        { description: 'Nothing' },
      ],
    },
  })
  expect(responses.problem.errors).toEqual([
    { pointer: '/lines/0/price/amount', detail: 'must be 3.00 EUR, the quantity times the unit rate' },
    { pointer: '/lines/1/price/amount', detail: 'must have no more than the 0 decimals of KRW' },
    { pointer: '/lines/2/price', detail: 'is required where there is no unit_rate' },
    { pointer: '/svc_shipment_id', detail: 'the account has no such shipment' },
  ])
  const below = () => ops('draftInvoice', slug, { body: { lines: [charge(5), charge(-6)] } })
  expect(await expectRefused(below, 'invalid_request')).toContain('add up to -1.00 EUR')
  // Every digit of amounts and sums must be exact.
  const most = Array.from({ length: 2 }, () => charge(500_000_000_000))
  const above = () => ops('draftInvoice', slug, { body: { lines: most } })
  expect(await expectRefused(above, 'invalid_request')).toContain(
    '/lines: add up to 1 000 000 000 000.00 EUR: every sum must be less than 1 000 000 000 000.00 EUR',
  )
  const taxed = () => ops('draftInvoice', slug, { body: { lines: [charge(999_999_999_999, 'EUR', 1)] } })
  expect(await expectRefused(taxed, 'invalid_request')).toContain('/lines: add up to')
  const cancelling = [charge(-999_999_999_999), charge(-999_999_999_999), charge(999_999_999_999, 'EUR', 0.01)]
  const inParts = { lines: [...cancelling, charge(999_999_999_999, 'EUR', 0.01)] }
  await expectRefused(() => ops('draftInvoice', slug, { body: inParts }), 'invalid_request')
  const quantity = { ...charge(1), quantity: { value: 1e300 }, unit_rate: price(1e-300) }
  const vast = () => ops('draftInvoice', slug, { body: { lines: [quantity] } })
  expect(await expectRefused(vast, 'invalid_request')).toContain('/lines/0/quantity/value')
  expect((await ops('listInvoices', slug)).body).toEqual([])
})

test('a reference that exists in the account as a reference or a number is not assigned again', async () => {
  const { slug, ops, invoice, get, expectRefused } = await startInvoicing(service)
  const first = await invoice(charge(1))
  const { number } = (await get(first)).record
  for (const reference of [first, number as string]) {
    const again = () => ops('draftInvoice', slug, { body: { reference, lines: [charge(1)] } })
    expect(await expectRefused(again, 'invoice_exists')).toContain(reference)
    const note = () =>
      ops('draftCreditNote', slug, { params: { reference: first }, body: { reference, lines: [charge(1)] } })
    await expectRefused(note, 'invoice_exists')
  }
})

test('an issued invoice cannot be replaced, discarded or issued again', async () => {
  const { slug, ops, invoice, replace, expectRefused } = await startInvoicing(service)
  const reference = await invoice(charge(10))
  await expectRefused(() => replace(reference, charge(11)), 'invoice_issued')
  await expectRefused(() => ops('discardDraft', slug, { params: { reference } }), 'invoice_issued')
  await expectRefused(() => ops('issueInvoice', slug, { params: { reference }, body: {} }), 'invoice_issued')
})

test('a draft accepts neither a status nor a payment', async () => {
  const { draft, move, pay, credit, expectRefused } = await startInvoicing(service)
  const reference = await draft(charge(10))
  await expectRefused(() => move(reference, 'due'), 'invoice_is_draft')
  await expectRefused(() => pay(reference, 1), 'invoice_is_draft')
  await expectRefused(() => credit(reference, charge(1)), 'invoice_is_draft')
})

test('every operation on an unknown invoice is refused with 404', async () => {
  const { slug, ops, pay, move, credit, replace, expectRefused } = await startInvoicing(service)
  await expectRefused(() => ops('getInvoice', slug, { params: { reference: 'X' } }), 'invoice_not_found')
  await expectRefused(() => ops('getInvoicePdf', slug, { params: { reference: 'X' } }), 'invoice_not_found')
  await expectRefused(() => ops('discardDraft', slug, { params: { reference: 'X' } }), 'invoice_not_found')
  await expectRefused(() => ops('issueInvoice', slug, { params: { reference: 'X' }, body: {} }), 'invoice_not_found')
  await expectRefused(() => pay('X', 1), 'invoice_not_found')
  await expectRefused(() => move('X', 'due'), 'invoice_not_found')
  await expectRefused(() => credit('X', charge(1)), 'invoice_not_found')
  await expectRefused(() => replace('X', charge(1)), 'invoice_not_found')
})

test('statuses follow the allowed transitions, and a refusal names them', async () => {
  const { slug, ops, invoice, move, expectRefused, shipment } = await startInvoicing(service)
  const reference = await invoice(charge(10))
  const refuse = (status: (typeof invoiceStatuses)[number]) =>
    expectRefused(() => ops('moveInvoice', slug, { params: { reference }, body: { status } }), 'transition_not_allowed')
  expect(await refuse('available')).toBe(
    'An invoice cannot go from available to available; allowed now: due, in_modification, litigious, write_off.',
  )
  expect(await refuse('new')).toContain('allowed now: due')
  expect(await refuse('paid')).toContain('paid follows from payments alone.')
  expect(await refuse('partially_paid')).toContain('partially_paid follows from payments alone.')
  expect((await move(reference, 'litigious')).body.record.status).toBe('litigious')
  expect(await refuse('in_modification')).toContain('allowed now: available, due, write_off')
  expect((await move(reference, 'due')).body.record.status).toBe('due')
  expect(await refuse('available')).toContain('allowed now: in_modification, litigious, write_off')
  const written = await ops('moveInvoice', slug, {
    params: { reference },
    body: { status: 'write_off', reason: 'Insolvent' },
  })
  expect(written.body).toMatchObject({ record: { status: 'write_off' }, reason: 'Insolvent' })
  expect((await shipment()).invoice_status).toBe('paid')
  for (const status of invoiceStatuses) expect(await refuse(status)).toContain('this status is final')
})

test('an invoice in modification accepts other lines, another due date and another shipment', async () => {
  const { slug, ops, createShipment, invoice, move, get, call, shipment } = await startInvoicing(service)
  await createShipment('S-2')
  const reference = await invoice(charge(10))
  const { number, sent_date } = (await get(reference)).record
  await move(reference, 'in_modification')
  const replaced = await ops('replaceInvoice', slug, {
    params: { reference },
    body: { svc_shipment_id: 'S-2', due_date: '2026-12-24', lines: [charge(8)] },
  })
  expect(replaced.body.record).toMatchObject({ number, sent_date, status: 'in_modification', due_date: '2026-12-24' })
  expect((await shipment('S-1')).invoice_references ?? []).toEqual([])
  expect(await shipment('S-2')).toMatchObject({ invoice_status: 'available', invoice_references: [number] })
  await move(reference, 'due')
  expect((await call('getInvoice', { params: { reference } })).body).toMatchObject({
    status: 'due',
    svc_shipment_id: 'S-2',
    lines: [charge(8)],
  })
  expect((await shipment('S-2')).invoice_status).toBe('due')
})

test('an as-of read of an invoice includes the payments and credit notes of that time', async () => {
  const { slug, ops, draft, issue, pay, credit, get } = await startInvoicing(service)
  const reference = await draft(charge(100))
  const asDraft = await get(reference)
  await issue(reference)
  const issued = await get(reference)
  await pay(reference, 40)
  const paid = await get(reference)
  await issue((await credit(reference, charge(60))).body.id)
  const settled = await get(reference)
  expect(settled.record.status).toBe('paid')
  for (const before of [asDraft, issued, paid]) {
    const result = await ops('getInvoice', slug, { params: { reference }, query: { as_of: before.recorded_at } })
    expect(result.body).toEqual(before)
    const list = await ops('listInvoices', slug, { query: { as_of: before.recorded_at } })
    expect(list.body).toEqual([before])
  }
  const early = { params: { reference }, query: { as_of: '2020-01-01T00:00:00Z' } }
  expect(await ops('getInvoice', slug, early)).toBeRefused('version_not_found')
})

test('the PDF of an invoice has its number, totals and outstanding amount', async () => {
  const { slug, ops, draft, issue, pay } = await startInvoicing(service)
  const { key: operatorKey } = await newOperator(service, 'viewer')
  const download = async (reference: string) => {
    const address = `${service.baseUrl}/ops/v1/accounts/${slug}/invoices/${encodeURIComponent(reference)}/pdf`
    const response = await fetch(address, { headers: { authorization: `Bearer ${operatorKey}` } })
    expect(response.headers.get('content-type')).toBe('application/pdf')
    return {
      name: response.headers.get('content-disposition'),
      text: textOf(Buffer.from(await response.arrayBuffer())),
    }
  }
  const reference = await draft(charge(1000, 'EUR', 19), charge(7.5, 'USD'))
  expect((await download(reference)).text).toContain('DRAFT')
  const { number } = (await issue(reference, { sent_date: '1975-03-10T09:00:00Z' })).record
  await pay(reference, 190)
  const { name, text } = await download(number as string)
  expect(name).toContain(`filename="${number}.pdf"`)
  expect(text).not.toContain('DRAFT')
  for (const words of [
    'Northgate Forwarding',
    `Account ${slug}`,
    `Number${number}`,
    'Date10 Mar 1975',
    'ShipmentS-1',
  ]) {
    expect(text).toContain(words)
  }
  expect(text).toContain('Total1 190.00 EURPaid on 1 Apr 2026-190.00 EURAmount due1 000.00 EUR')
  expect(text).toContain('Total7.50 USDAmount due7.50 USD')
  const note = await ops('draftCreditNote', slug, {
    params: { reference },
    body: { reference: 'A/1', lines: [charge(100, 'EUR', 19)] },
  })
  await issue(note.body.id)
  expect((await download('A/1')).text).toContain(`Credits invoice${number}`)
  expect((await download(reference)).text).toContain('-119.00 EUR')
})
