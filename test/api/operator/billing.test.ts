import { expect, inject, test } from 'vitest'
import type { BillingSettings } from '../../../src/contract/billing.js'
import { openDatabase } from '../../../src/database/database.js'
import { migrate } from '../../../src/database/migrate.js'
import { moveDueInvoices } from '../../../src/usecases/billing/run-due-invoices.js'
import { administer, withDatabase } from '../../support/database.js'
import { charge, price, startInvoicing } from '../../support/invoices.js'
import { newOperator } from '../../support/operator.js'
import { textOf } from '../../support/pdf-text.js'
import { startService } from '../../support/service.js'

// A database of its own: the forwarder's settings concern all accounts.
const name = `billing_${process.pid}_${Date.now()}`
await administer(inject('serverUrl'), `create database ${name}`)
const db = openDatabase({ url: withDatabase(inject('serverUrl'), name) }, { connections: 5 })
await migrate(db)
const service = await startService({ db })
const admin = await newOperator(service)

const seller = {
  name: 'Hansekontor GmbH',
  address: ['Am Kai 48', '20457 Hamburg'],
  country: 'DE',
  vat_number: 'DE811569869',
}
const bank = { iban: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFFXXX' }
const set = (input: { body: BillingSettings }) => admin.ops('setBillingSettings', undefined, input)

test('settings are checked, and an invoice keeps those of its day, in the language of its customer', async () => {
  expect(await set({ body: { bank: { iban: 'DE88 3704 0044 0532 0130 00' } } })).toBeRefused('invalid_request')
  expect(await set({ body: { time_zone: 'Mars/Olympus' } })).toBeRefused('invalid_request')
  const rates = [{ currency: 'USD' as const, rate: 0.92, date: '2026-03-02' }]
  const terms = { days: 30 }
  const saved = await set({ body: { seller, bank, terms, standard_rate: 19, accounting_currency: 'EUR', rates } })
  expect(saved.status, saved.text).toBe(200)
  const { slug, ops, draft, issue, call } = await startInvoicing(service)
  const buyer = { address: ['1 rue du Port', '76600 Le Havre'], country: 'FR', vat_number: 'FR40303265045' }
  await ops('setAccountBilling', slug, { body: { buyer, language: 'fr', tax_category: 'reverse_charge' } })
  const lines = [
    { description: 'Handling', price: price(200) },
    { description: 'Customs duties paid', price: price(50), disbursement: true },
  ]
  const { body: drafted } = await ops('draftInvoice', slug, { body: { lines } })
  const { record } = await issue(drafted.id)
  expect(record.lines).toMatchObject([
    { tax_category: 'reverse_charge', vatRate: 0 },
    { tax_category: 'outside_scope' },
  ])
  const due = new Date(`${record.sent_date?.slice(0, 10)}T00:00:00Z`)
  due.setUTCDate(due.getUTCDate() + 30)
  expect(record.due_date).toBe(due.toISOString().slice(0, 10))
  await set({ body: { seller: { ...seller, name: 'Another name' }, bank } })
  const pdf = await fetch(`${service.baseUrl}/ops/v1/accounts/${slug}/invoices/${drafted.id}/pdf`, {
    headers: { authorization: `Bearer ${admin.key}` },
  })
  const text = textOf(Buffer.from(await pdf.arrayBuffer()))
  for (const part of ['Facture', seller.name, 'TVA DE811569869', 'FR40303265045', 'Autoliquidation', 'Débours', 'RF']) {
    expect(text).toContain(part)
  }
  // The JSON of the customer stays as it is.
  const shown = (await call('getInvoice', { params: { reference: drafted.id } })).body
  expect(shown.lines?.[0]).toEqual({ description: 'Handling', price: price(200), vatRate: 0 })
  await set({ body: { seller, bank, accounting_currency: 'EUR', rates } })
  const dollars = await draft(charge(100, 'USD', 19))
  expect((await issue(dollars)).accounting).toMatchObject([{ of: 'USD', net: 92, vat: 17.48, gross: 109.48 }])
})

test('lines that name no tax have the standard rate, and a credit note of them has it too', async () => {
  const { slug, ops, issue, credit, get } = await startInvoicing(service)
  const lines = [{ description: 'Handling', price: price(100) }]
  const untaxed = (await ops('draftInvoice', slug, { body: { lines } })).body.id
  await issue(untaxed)
  await set({ body: { seller, bank, standard_rate: 19 } })
  const { id, totals } = (await ops('draftInvoice', slug, { body: { lines } })).body
  expect(totals).toMatchObject([{ net: 100, gross: 119, vat: [{ rate: 19, tax_category: 'standard' }] }])
  await issue(id)
  const creditOf = (reference: string) => ops('draftCreditNote', slug, { params: { reference }, body: { lines } })
  expect((await creditOf(id)).body.totals).toMatchObject([{ gross: 119 }])
  // What was charged without tax is credited without it.
  await issue((await creditOf(untaxed)).body.id)
  expect((await get(untaxed)).outstanding).toEqual([price(0)])
  const abroad = { buyer: { country: 'FR' } }
  await ops('setAccountBilling', slug, { body: abroad })
  const open = (await ops('draftInvoice', slug, { body: { lines } })).body
  expect(open.totals).toMatchObject([{ gross: 100 }])
  const { checks } = (await ops('checkInvoice', slug, { params: { reference: open.id } })).body
  expect(checks.find(({ check }) => check === 'tax')).toMatchObject({ findings: [{ line: 0, kind: 'no_category' }] })
  expect((await credit(id, charge(1))).status).toBe(409)
})

test('a binding check blocks the issue, others warn with their figures, and the customer sees what passed', async () => {
  await set({ body: { seller, bank, checks: { units: 'block' } } })
  const { slug, ops, call, issue } = await startInvoicing(service)
  const operations = await newOperator(service, 'operations')
  const containers = ['TGHU7599330', 'CSQU3054383'].map((container_number) => ({
    container_type: 'twenty_foot_standard' as const,
    container_number,
  }))
  await operations.ops('createShipment', slug, {
    body: { svc_shipment_id: 'S-2', freight_mode: 'ocean', cargo: { containers } },
  })
  const freight = (value: number) => ({
    category: 'freight',
    description: 'Ocean freight',
    quantity: { value, unit: 'container' },
    unit_rate: price(1000),
  })
  const delivery = { description: 'Delivery to Lyon', price: price(90) }
  const air = { description: 'Air waybill fee', price: price(30) }
  const content = (count: number) => ({
    svc_shipment_id: 'S-2',
    lines: [freight(count), delivery, air],
    quoted: price(2100),
  })
  const { body: drafted } = await ops('draftInvoice', slug, { body: content(3) })
  const params = { reference: drafted.id }
  const before = (await ops('checkInvoice', slug, { params })).body
  expect(before.can_issue).toBe(false)
  const outcomeOf = (check: string) => before.checks.find((each) => each.check === check)
  expect(outcomeOf('units')).toMatchObject({ outcome: 'blocked', findings: [{ line: 0, charged: 3, expected: 2 }] })
  expect(outcomeOf('delivery')).toMatchObject({ outcome: 'warning', findings: [{ line: 1, kind: 'not_delivered' }] })
  expect(outcomeOf('mode')).toMatchObject({ outcome: 'warning', findings: [{ line: 2, subject: 'ocean' }] })
  expect(outcomeOf('quote')).toMatchObject({ findings: [{ charged: 3120, expected: 2100, unit: 'EUR' }] })
  const refused = await ops('issueInvoice', slug, { params, body: {} })
  expect(refused).toBeRefused('invoice_blocked')
  expect(refused.problem.detail).toContain('3 containers charged, 2 expected')
  await ops('replaceInvoice', slug, { params, body: content(2) })
  await issue(drafted.id)
  const { checks } = (await call('getInvoiceChecks', { params })).body
  expect(checks.find(({ check }) => check === 'units')?.compared).toEqual([
    { charged: 2, expected: 2, unit: 'containers' },
  ])
  expect(checks.map(({ check }) => check)).not.toContain('delivery')
  const again = await ops('draftInvoice', slug, { body: content(2) })
  const repeated = (await ops('checkInvoice', slug, { params: { reference: again.body.id } })).body
  expect(repeated.checks.find(({ check }) => check === 'duplicate')?.findings).toHaveLength(3)
})

test('dates of a series neither run backwards nor into the future, and its year is that of the time zone', async () => {
  await set({ body: { time_zone: 'Europe/Paris' } })
  const { slug, ops, draft, issue } = await startInvoicing(service)
  const late = await issue(await draft(charge(1)), { sent_date: '1998-12-31T23:30:00Z' })
  expect(late.record.number).toBe('INV-1999-000001')
  await issue(await draft(charge(1)), { sent_date: '1999-03-02T10:00:00Z' })
  const params = { reference: await draft(charge(1)) }
  const back = await ops('issueInvoice', slug, { params, body: { sent_date: '1999-03-01T10:00:00Z' } })
  expect(back).toBeRefused('invoice_date_not_allowed')
  expect(back.problem.detail).toContain('1999-03-02')
  const ahead = await ops('issueInvoice', slug, { params, body: { sent_date: '2199-01-01T00:00:00Z' } })
  expect(ahead).toBeRefused('invoice_date_not_allowed')
})

test('an available invoice becomes due on its due date, and an issued one is not edited by default', async () => {
  await set({ body: {} })
  const { slug, ops, draft, issue, get, move, replace } = await startInvoicing(service)
  const reference = await draft(charge(10))
  const issued = await issue(reference)
  expect(issued.record.due_date).toBeUndefined()
  const { body } = await ops('draftInvoice', slug, { body: { due_date: '2031-05-01', lines: [charge(5)] } })
  await issue(body.id)
  await moveDueInvoices(service.db, Date.parse('2031-04-30T23:00:00Z'))
  expect((await get(body.id)).record.status).toBe('available')
  await moveDueInvoices(service.db, Date.parse('2031-05-01T01:00:00Z'))
  expect((await get(body.id)).record.status).toBe('due')
  expect((await get(reference)).record.status).toBe('available')
  await move(reference, 'in_modification')
  await ops('setAccountBilling', slug, { body: {} })
  expect(await replace(reference, charge(11))).toBeRefused('invoice_issued')
})

test('the undisputed lines can be paid, and what is paid in excess is applied to another invoice', async () => {
  const { slug, ops, invoice, get, pay, move, expectRefused } = await startInvoicing(service)
  const reference = await invoice(charge(100, 'EUR', 20), charge(50))
  const disputed = await ops('moveInvoice', slug, {
    params: { reference },
    body: { status: 'litigious', disputed_lines: [0], reason: 'Charged twice' },
  })
  expect(disputed.body).toMatchObject({ disputed: [price(120)], outstanding: [price(170)] })
  await expectRefused(() => pay(reference, 51), 'payment_exceeds_outstanding')
  expect((await pay(reference, 50)).body).toMatchObject({ record: { status: 'litigious' }, outstanding: [price(120)] })
  expect((await move(reference, 'due')).body.record).toMatchObject({ status: 'partially_paid' })
  const over = await ops('recordPayment', slug, {
    params: { reference },
    body: { payment_id: 'P-9', amount: 200, currency: 'EUR', paid_on: '2026-04-01', excess: 'keep_unapplied' },
  })
  expect(over.body).toMatchObject({ record: { status: 'paid' }, outstanding: [price(0)] })
  expect((await ops('getAccountBilling', slug)).body.unapplied).toEqual([price(80)])
  const other = await invoice(charge(60))
  const apply = (amount?: number) =>
    ops('applyPayment', slug, {
      params: { payment_id: 'P-9' },
      body: { reference: other, ...(amount !== undefined && { amount }) },
    })
  await expectRefused(() => apply(80.5), 'invalid_request')
  await expectRefused(() => apply(70), 'payment_exceeds_outstanding')
  expect((await apply()).body).toMatchObject({
    record: { status: 'paid' },
    payments: [{ split_from: 'P-9', amount: 60 }],
  })
  expect((await get(reference)).outstanding).toEqual([price(0)])
  expect((await ops('getAccountBilling', slug)).body.unapplied).toEqual([price(20)])
  const refund = (amount?: number) =>
    ops('refundPayment', slug, {
      params: { payment_id: 'P-9' },
      body: { refunded_on: '2026-04-20', ...(amount !== undefined && { amount }) },
    })
  await expectRefused(() => refund(20.01), 'invalid_request')
  expect((await refund(5)).body).toMatchObject({ amount: 140, unapplied: 15, refunds: [{ amount: 5 }] })
  expect((await refund()).body.refunds).toMatchObject([{ amount: 5 }, { amount: 15, refunded_on: '2026-04-20' }])
  expect((await ops('getAccountBilling', slug)).body).toMatchObject({ unapplied: [], unapplied_payments: [] })
  await expectRefused(() => refund(), 'invalid_request')
  // What was paid back does not count for the invoice, and paying the same again is no second payment.
  expect(await get(reference)).toMatchObject({ record: { status: 'paid' }, outstanding: [price(0)] })
  const query = 'currency=EUR&from=2026-01-01&to=2099-12-31'
  const printed = await fetch(`${service.baseUrl}/ops/v1/accounts/${slug}/statement?${query}`, {
    headers: { authorization: `Bearer ${admin.key}` },
  })
  const statement = textOf(Buffer.from(await printed.arrayBuffer()))
  expect(statement).toMatch(/Refund.*15\.00 EUR.*Closing balance0\.00 EUR/)
})

test('a template charges by the quantities of the shipment', async () => {
  const { slug, ops } = await startInvoicing(service)
  const operations = await newOperator(service, 'operations')
  const cargo = { total_weight: { value: 400, unit: 'kg' as const }, total_volume: { value: 3, unit: 'cbm' } }
  await operations.ops('createShipment', slug, { body: { svc_shipment_id: 'A-1', freight_mode: 'air', cargo } })
  const charges = [
    { description: 'Air freight', category: 'freight', per: 'chargeable_kg' as const, unit_rate: price(2.5) },
    { description: 'Terminal handling', per: 'container' as const, unit_rate: price(200) },
    { description: 'Documents', unit_rate: price(45) },
  ]
  await ops('setChargeTemplate', undefined, { params: { name: 'Air' }, body: { charges } })
  const use = { params: { svc_shipment_id: 'A-1' }, body: { template: 'Air' } }
  const { body } = await ops('draftFromTemplate', slug, use)
  // 3 m³ at 1:6000 are more than 400 kg; there are no containers.
  expect(body.record.lines).toMatchObject([{ quantity: { value: 500 }, price: price(1250) }, { price: price(45) }])
  const air_booking = { chargeable_weight: { value: 512.3, unit: 'kg' as const } }
  const booked = { freight_mode: 'air' as const, cargo, booking_information: { air_booking } }
  await operations.ops('createShipment', slug, { body: { svc_shipment_id: 'A-2', ...booked } })
  const other = await ops('draftFromTemplate', slug, { ...use, params: { svc_shipment_id: 'A-2' } })
  expect(other.body.record.lines?.[0]).toMatchObject({ quantity: { value: 512.5 }, price: price(1281.25) })
  expect(await ops('draftFromTemplate', slug, { ...use, body: { template: 'None' } })).toBeRefused('template_not_found')
})

test('rows of a bank list are matched by number and amount, and the lists over all accounts agree', async () => {
  const { slug, ops, invoice, draft, get } = await startInvoicing(service)
  const [one, two] = [await invoice(charge(1234.56)), await invoice(charge(77.77))]
  await draft(charge(5))
  const number = (await get(one)).record.number ?? ''
  const text = [
    'Date;Amount;Text',
    `14.04.2026;1.234,56;Invoice ${number.replaceAll('-', ' ')}`,
    `2026-04-15;EUR 1000.00;RF94${number.replaceAll('-', '')}`,
    '16/04/2026;77,77 €;thank you',
    '17/04/2026;3,00;thank you',
    'Balance 12',
  ].join('\n')
  const matches = (await ops('matchPayments', undefined, { body: { text } })).body
  expect(matches.map(({ outcome }) => outcome)).toEqual(['exact', 'excess', 'by_amount', 'unknown', 'unreadable'])
  expect(matches[2]?.candidates).toMatchObject([{ account: slug, reference: two }])
  const [{ payment_id = '', paid_on = '', amount = 0, currency = 'EUR' } = {}] = matches
  await ops('recordPayment', slug, { params: { reference: one }, body: { payment_id, paid_on, amount, currency } })
  const open = (await ops('findInvoices', undefined, { query: { state: 'open', account: slug } })).body
  expect(open.invoices.map(({ reference }) => reference)).toEqual([two])
  expect(open.counts).toMatchObject({ draft: 1, open: 1 })
  const found = (await ops('findInvoices', undefined, { query: { q: number.toLowerCase(), account: slug } })).body
  expect(found.invoices).toMatchObject([{ reference: one, status: 'paid', totals: [price(1234.56)] }])
  const pages = (await ops('findInvoices', undefined, { query: { account: slug, take: 2 } })).body
  const rest = await ops('findInvoices', undefined, { query: { account: slug, take: 2, after: pages.next ?? '' } })
  expect([...pages.invoices, ...rest.body.invoices]).toHaveLength(3)
  const owed = (await ops('listReceivables', undefined)).body.customers.filter(({ account }) => account === slug)
  expect(owed).toMatchObject([{ currency: 'EUR', not_due: 77.77, total: 77.77, unapplied: 0 }])
  const query = { currency: 'EUR' as const, from: '2026-01-01', to: '2099-12-31' }
  expect((await ops('getAccountStatement', slug, { query })).status).toBe(200)
})

const bankRow = (day: number, amount: string, words: string) => `${day}.04.2026;${amount};${words}`

test('a row of a bank list is recorded once: pasted again it is not matched with another invoice of the amount', async () => {
  const { slug, ops, invoice, get } = await startInvoicing(service)
  const other = await startInvoicing(service)
  const reference = await invoice(charge(431.07))
  const elsewhere = await other.invoice(charge(431.07))
  const text = bankRow(14, '431,07', `Invoice ${(await get(reference)).record.number}`)
  const match = async () => (await ops('matchPayments', undefined, { body: { text } })).body
  const [first] = await match()
  expect(first).toMatchObject({ outcome: 'exact', candidates: [{ account: slug, reference }] })
  const { payment_id = '', paid_on = '', amount = 0, currency = 'EUR' } = first ?? {}
  await ops('recordPayment', slug, { params: { reference }, body: { payment_id, paid_on, amount, currency } })
  expect(await match()).toMatchObject([
    { outcome: 'recorded', candidates: [{ account: slug, reference, outstanding: price(0) }] },
  ])
  // Somebody with another customer alone learns that it was recorded, not where.
  const limited = await newOperator(service, 'finance', [other.id])
  const seen = (await limited.ops('matchPayments', undefined, { body: { text } })).body
  expect(seen).toMatchObject([{ outcome: 'recorded', candidates: [] }])
  expect((await other.get(elsewhere)).outstanding).toEqual([price(431.07)])
})

test('rows of a bank list that pay one invoice share what is outstanding, and named invoices come before amounts', async () => {
  const { ops, invoice, get } = await startInvoicing(service)
  const [one, two] = [await invoice(charge(100.01)), await invoice(charge(88.02))]
  const [first, second] = [(await get(one)).record.number, (await get(two)).record.number]
  const text = [
    bankRow(14, '88,02', 'thank you'),
    bankRow(14, '60,01', `Invoice ${first}`),
    bankRow(15, '40,00', `Invoice ${first}`),
    bankRow(16, '1,00', `Invoice ${first}`),
    bankRow(17, '88,02', `Invoice ${second}`),
    bankRow(18, '-88,02', `Invoice ${second}`),
  ].join('\n')
  const matches = (await ops('matchPayments', undefined, { body: { text } })).body
  expect(matches.map(({ row, outcome }) => [row, outcome])).toEqual([
    [1, 'unknown'],
    [2, 'partial'],
    [3, 'exact'],
    [4, 'excess'],
    [5, 'exact'],
  ])
  const left = matches.flatMap(({ candidates }) => candidates.map(({ outstanding }) => outstanding.amount))
  expect(left).toEqual([100.01, 40, 0, 88.02])
})

test('a payment that is moved as a whole keeps its identifier, and is not recorded again', async () => {
  const { slug, ops, invoice, revision, expectRefused } = await startInvoicing(service)
  const [disputed, other] = [await invoice(charge(10)), await invoice(charge(10), charge(5))]
  await ops('moveInvoice', slug, {
    params: { reference: disputed },
    body: { status: 'litigious', disputed_lines: [0] },
  })
  const body = { payment_id: 'P-10', amount: 10, currency: 'EUR' as const, paid_on: '2026-04-01' }
  const record = (more: { amount?: number } = {}) =>
    ops('recordPayment', slug, {
      params: { reference: disputed },
      body: { ...body, ...more, excess: 'keep_unapplied' },
    })
  await record()
  const applied = await ops('applyPayment', slug, { params: { payment_id: 'P-10' }, body: { reference: other } })
  expect(applied.body).toMatchObject({ payments: [{ payment_id: 'P-10', amount: 10 }], outstanding: [price(5)] })
  const before = await revision()
  expect(await record()).toMatchObject({ status: 201, body: { payments: [], outstanding: [price(10)] } })
  expect(await revision()).toBe(before)
  await expectRefused(() => record({ amount: 11 }), 'payment_exists')
})

test('shipments without an invoice are found by part of their number or name, those finished first', async () => {
  const { slug } = await startInvoicing(service)
  for (const [svc_shipment_id, called] of [
    ['UB-1', 'Lamps for spring'],
    ['UB-2', 'Chairs'],
    ['UB-3', 'LAMPS again'],
  ] as const) {
    const body = { svc_shipment_id, name: called, status: 'in_progress' as const }
    expect((await admin.ops('createShipment', slug, { body })).status).toBe(201)
  }
  const finished = { params: { svc_shipment_id: 'UB-1' }, body: { status: 'finished' as const } }
  expect((await admin.ops('moveShipment', slug, finished)).status).toBe(200)
  // Indexes them.
  await admin.ops('findShipments', undefined, { query: { account: slug, take: 1 } })
  const found = async (q?: string) => {
    const query = { account: slug, ...(q !== undefined && { q }) }
    const { body } = await admin.ops('listUnbilled', undefined, { query })
    return body.shipments.map(({ svc_shipment_id }) => svc_shipment_id)
  }
  expect(await found()).toEqual(['UB-1', 'UB-3', 'UB-2'])
  expect(await found('lamps')).toEqual(['UB-1', 'UB-3'])
  expect(await found('ub-2')).toEqual(['UB-2'])
  expect(await found('_')).toEqual([])
})
