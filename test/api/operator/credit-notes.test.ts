import { expect, test } from 'vitest'
import { charge, price, startInvoicing } from '../../support/invoices.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('credit notes, drafts included, never exceed their invoice in total, and the refusal states the excess', async () => {
  const { slug, ops, invoice, credit, issue, replace, expectRefused } = await startInvoicing(service)
  const reference = await invoice(charge(100, 'EUR', 19), charge(10, 'USD'))
  const first = (await credit(reference, charge(84, 'EUR', 19))).body.id
  const refusal = (...lines: ReturnType<typeof charge>[]) =>
    expectRefused(() => credit(reference, ...lines), 'credit_exceeds_invoice')
  expect(await refusal(charge(16.01, 'EUR', 19))).toContain('by 0.01 EUR')
  expect(await refusal(charge(20.04), charge(11, 'USD'))).toContain('by 1.00 EUR and 1.00 USD')
  expect(await refusal(charge(1, 'GBP'))).toContain('by 1.00 GBP')
  // No more than was charged at each rate.
  expect(await refusal(charge(1))).toContain('by 1.00 EUR at 0 % VAT')
  const second = (await credit(reference, charge(16, 'EUR', 19), charge(10, 'USD'))).body.id
  const replaced = () =>
    ops('replaceInvoice', slug, { params: { reference: second }, body: { lines: [charge(16.5, 'EUR', 19)] } })
  expect(await expectRefused(replaced, 'credit_exceeds_invoice')).toContain('by 0.60 EUR')
  await issue(first)
  await issue(second)
  expect(await refusal(charge(0.01))).toContain('by 0.01 EUR')
  await expectRefused(() => replace(first, charge(1)), 'invoice_issued')
})

test('discarding a draft credit note frees its amount', async () => {
  const { slug, ops, invoice, credit } = await startInvoicing(service)
  const reference = await invoice(charge(100))
  const note = (await credit(reference, charge(100))).body.id
  await ops('discardDraft', slug, { params: { reference: note } })
  expect((await credit(reference, charge(100))).status).toBe(201)
})

test('an issued credit note reduces the outstanding amount, and settles the invoice if nothing is left', async () => {
  const { invoice, credit, issue, pay, get, call, shipment } = await startInvoicing(service)
  const reference = await invoice(charge(100))
  const first = (await credit(reference, charge(40))).body.id
  expect((await get(reference)).outstanding).toEqual([price(100)])
  await issue(first)
  expect(await get(reference)).toMatchObject({ record: { status: 'available' }, outstanding: [price(60)] })
  expect(await pay(reference, 60.01)).toBeRefused('payment_exceeds_outstanding')
  const second = (await credit(reference, charge(60))).body.id
  await issue(second)
  expect(await get(reference)).toMatchObject({
    record: { status: 'paid' },
    outstanding: [price(0)],
    credit_notes: [first, second].toSorted(),
  })
  expect((await call('getInvoice', { params: { reference } })).body.status).toBe('paid')
  expect((await shipment()).invoice_status).toBe('paid')
  // It was offset, so nothing is to be refunded.
  expect(await get(first)).toMatchObject({ record: { status: 'paid' }, outstanding: [price(0)] })
  expect(await get(second)).toMatchObject({ record: { status: 'paid' }, outstanding: [price(0)] })
  expect(await pay(second, 1)).toBeRefused('transition_not_allowed')
})

test('a credit note on a paid invoice allows a refund of the overpaid amount', async () => {
  const { invoice, credit, issue, pay, get, expectRefused } = await startInvoicing(service)
  const reference = await invoice(charge(100))
  await pay(reference, 80)
  const note = (await credit(reference, charge(30))).body.id
  expect((await issue(note)).outstanding).toEqual([price(10)])
  expect(await get(reference)).toMatchObject({ record: { status: 'paid' }, outstanding: [price(-10)] })
  expect(await expectRefused(() => pay(note, 10.5), 'payment_exceeds_outstanding')).toContain('by 0.50 EUR')
  expect((await pay(note, 4)).body).toMatchObject({ record: { status: 'partially_paid' }, outstanding: [price(6)] })
  expect((await pay(note, 6)).body).toMatchObject({ record: { status: 'paid' }, outstanding: [price(0)] })
  expect((await get(reference)).outstanding).toEqual([price(0)])
})

test('a written-off invoice has nothing outstanding', async () => {
  const { invoice, credit, issue, pay, move, get, expectRefused } = await startInvoicing(service)
  const reference = await invoice(charge(100))
  await pay(reference, 100)
  const note = (await credit(reference, charge(30))).body.id
  expect((await issue(note)).outstanding).toEqual([price(30)])
  expect((await move(note, 'write_off')).body.outstanding).toEqual([price(0)])
  await expectRefused(() => pay(note, 30), 'transition_not_allowed')
  const unpaid = await invoice(charge(50))
  await pay(unpaid, 20)
  expect((await move(unpaid, 'write_off')).body.outstanding).toEqual([price(0)])
  expect((await get(unpaid)).payments).toHaveLength(1)
})

test('only an issued invoice can be credited, with a positive amount', async () => {
  const { invoice, credit, expectRefused } = await startInvoicing(service)
  const reference = await invoice(charge(100))
  const note = (await credit(reference, charge(30))).body.id
  const ofNote = await expectRefused(() => credit(note, charge(1)), 'invalid_request')
  expect(ofNote).toBe('/reference: is a credit note: only an invoice can be credited')
  const nothing = await expectRefused(() => credit(reference, charge(5), charge(-5)), 'invalid_request')
  expect(nothing).toContain('a credit note must credit something')
})

test('an invoice in modification cannot fall below its credits, and no credit note can be issued above it', async () => {
  const { slug, ops, invoice, credit, move, replace, expectRefused } = await startInvoicing(service)
  const reference = await invoice(charge(100))
  const note = (await credit(reference, charge(60))).body.id
  await move(reference, 'in_modification')
  await replace(reference, charge(59))
  expect(await expectRefused(() => move(reference, 'due'), 'credit_exceeds_invoice')).toContain('by 1.00 EUR')
  const issued = () => ops('issueInvoice', slug, { params: { reference: note }, body: {} })
  expect(await expectRefused(issued, 'credit_exceeds_invoice')).toContain('by 1.00 EUR')
  await replace(reference, charge(60))
  expect((await issued()).status).toBe(200)
  // Nothing is left, so it is paid as soon as that status is allowed.
  expect((await move(reference, 'due')).body.record.status).toBe('paid')
})

test('a credit note that was set off is settled, and final', async () => {
  const { invoice, credit, issue, move, get } = await startInvoicing(service)
  const reference = await invoice(charge(100))
  const note = (await credit(reference, charge(60))).body.id
  expect((await issue(note)).record.status).toBe('paid')
  expect(await get(reference)).toMatchObject({ record: { status: 'available' }, outstanding: [price(40)] })
  expect(await move(note, 'in_modification')).toBeRefused('transition_not_allowed')
})

test('the lines of an invoice can be credited one by one: the last credit note gives back what is left of the tax', async () => {
  const { slug, ops, invoice, credit, issue, get, expectRefused } = await startInvoicing(service)
  const line = charge(10.13, 'EUR', 20)
  const reference = await invoice(line, line, charge(100, 'JPY', 5), charge(100, 'JPY', 5), charge(101, 'JPY', 5))
  expect((await get(reference)).outstanding).toEqual([price(24.31), price(316, 'JPY')])
  const yen = (amount: number) => charge(amount, 'JPY', 5)
  const first = await credit(reference, line, yen(101))
  expect(first.body.totals).toMatchObject([{ gross: 12.16 }, { gross: 106 }])
  const second = await credit(reference, line, yen(100), yen(100))
  expect(second.body.totals).toMatchObject([
    { net: 10.13, gross: 12.15, vat: [{ rate: 20, amount: 2.02 }] },
    { gross: 210 },
  ])
  // What is left of the net is the limit.
  await expectRefused(() => credit(reference, charge(0.01, 'EUR', 20)), 'credit_exceeds_invoice')
  for (const { body } of [second, first]) await issue(body.id)
  expect(await get(reference)).toMatchObject({ record: { status: 'paid' }, outstanding: [price(0), price(0, 'JPY')] })
  expect((await get(second.body.id)).totals).toMatchObject([{ gross: 12.15 }, { gross: 210 }])
  const balance = await ops('listReceivables', undefined)
  expect(balance.body.customers.filter(({ account }) => account === slug)).toEqual([])
})

test('an invoice that was credited or written off as a whole is issued again without a finding of duplicates', async () => {
  const { slug, ops, invoice, draft, credit, issue, move } = await startInvoicing(service)
  const duplicates = async () => {
    const { checks } = (await ops('checkInvoice', slug, { params: { reference: again } })).body
    return checks.find(({ check }) => check === 'duplicate')?.findings.length
  }
  const [credited, writtenOff] = [await invoice(charge(31)), await invoice(charge(31))]
  const again = await draft(charge(31))
  expect(await duplicates()).toBe(1)
  await move(writtenOff, 'write_off')
  await issue((await credit(credited, charge(30))).body.id)
  expect(await duplicates()).toBe(1)
  await issue((await credit(credited, charge(1))).body.id)
  expect(await duplicates()).toBe(0)
})
