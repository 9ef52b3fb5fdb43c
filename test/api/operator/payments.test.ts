import { expect, test } from 'vitest'
import { charge, price, retryWhileBusy, startInvoicing } from '../../support/invoices.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('an invoice in two currencies is paid when neither has anything outstanding', async () => {
  const { invoice, pay } = await startInvoicing(service)
  const reference = await invoice(charge(0.3), charge(50, 'USD'))
  const first = await pay(reference, 0.1)
  expect(first.body).toMatchObject({
    record: { status: 'partially_paid' },
    outstanding: [price(0.2), price(50, 'USD')],
  })
  const second = await pay(reference, 0.2)
  expect(second.body).toMatchObject({ record: { status: 'partially_paid' }, outstanding: [price(0), price(50, 'USD')] })
  const third = await pay(reference, 50, 'USD')
  expect(third.body).toMatchObject({ record: { status: 'paid' }, outstanding: [price(0), price(0, 'USD')] })
  expect(third.body.payments).toHaveLength(3)
})

test('a payment never exceeds the outstanding amount in its currency, and the refusal states the excess', async () => {
  const { invoice, pay, expectRefused } = await startInvoicing(service)
  const reference = await invoice(charge(100), charge(10, 'USD'))
  await pay(reference, 99.9)
  const refusal = (amount: number, currency: 'EUR' | 'USD' | 'GBP') =>
    expectRefused(() => pay(reference, amount, currency), 'payment_exceeds_outstanding')
  expect(await refusal(0.11, 'EUR')).toContain('by 0.01 EUR')
  expect(await refusal(1000, 'USD')).toContain('by 990.00 USD')
  expect(await refusal(1, 'GBP')).toContain('by 1.00 GBP')
})

test('a payment has no more decimals than its currency', async () => {
  const { invoice, pay, expectRefused } = await startInvoicing(service)
  const reference = await invoice(charge(5000, 'KRW'), charge(1.234, 'KWD'), charge(10))
  const refusal = (amount: number, currency: 'KRW' | 'KWD' | 'EUR') =>
    expectRefused(() => pay(reference, amount, currency), 'invalid_request')
  expect(await refusal(0.5, 'KRW')).toBe('/amount: must have no more than the 0 decimals of KRW')
  expect(await refusal(0.1234, 'KWD')).toBe('/amount: must have no more than the 3 decimals of KWD')
  expect(await refusal(0.001, 'EUR')).toContain('the 2 decimals of EUR')
  expect(await refusal(0, 'EUR')).toContain('must be greater than 0')
  const paid = await pay(reference, 1.233, 'KWD')
  expect(paid.body.outstanding).toContainEqual(price(0.001, 'KWD'))
})

test('the same payment sent again counts once; another one with its identifier is refused', async () => {
  const { slug, ops, invoice, pay, revision, expectRefused } = await startInvoicing(service)
  const reference = await invoice(charge(100))
  const other = await invoice(charge(100))
  const first = await pay(reference, 100, 'EUR', { payment_id: 'BANK/1' })
  expect(first.body.record.status).toBe('paid')
  const before = await revision()
  const again = await pay(reference, 100, 'EUR', { payment_id: 'BANK/1' })
  expect(again.body).toEqual(first.body)
  expect(await revision()).toBe(before)
  await expectRefused(() => pay(reference, 99, 'EUR', { payment_id: 'BANK/1' }), 'payment_exists')
  await expectRefused(() => pay(other, 100, 'EUR', { payment_id: 'BANK/1' }), 'payment_exists')
  const history = await ops('getHistory', slug, { params: { kind: 'payment', id: 'BANK/1' } })
  expect(history.body).toMatchObject([{ what: 'created', record: { reference, amount: 100 } }])
})

test('payments are accepted in the statuses that allow them; other refusals name the allowed ones', async () => {
  const { invoice, move, pay, expectRefused } = await startInvoicing(service)
  const refusal = (reference: string) => expectRefused(() => pay(reference, 1), 'transition_not_allowed')
  for (const status of ['litigious', 'in_modification'] as const) {
    const reference = await invoice(charge(10))
    await move(reference, status)
    expect(await refusal(reference)).toBe(
      `No payment can be recorded while an invoice is ${status}; allowed now: available, due, write_off.`,
    )
  }
  const paid = await invoice(charge(10))
  await pay(paid, 10)
  expect(await refusal(paid)).toContain('is paid; this status is final')
  const writtenOff = await invoice(charge(10))
  await move(writtenOff, 'write_off')
  expect(await refusal(writtenOff)).toContain('is write_off; this status is final')
})

test('a payment can be reversed while its invoice is in modification, and the invoice keeps that status', async () => {
  const { slug, ops, invoice, move, pay, get, expectRefused } = await startInvoicing(service)
  const reference = await invoice(charge(100))
  await pay(reference, 30, 'EUR', { payment_id: 'P-1' })
  await pay(reference, 20, 'EUR', { payment_id: 'P-2' })
  const remove = (payment_id: string) =>
    ops('removePayment', slug, { params: { reference, payment_id }, query: { reason: 'Of another customer' } })
  await move(reference, 'in_modification')
  await expectRefused(() => remove('P-3'), 'payment_not_found')
  expect((await remove('P-1')).body).toMatchObject({ payments: [{ payment_id: 'P-2' }], outstanding: [price(80)] })
  const history = await ops('getHistory', slug, { params: { kind: 'payment', id: 'P-1' } })
  expect(history.body[0]).toMatchObject({ what: 'removed', reason: 'Of another customer' })
  await remove('P-2')
  // Nothing of it is paid any more, so the requested status is kept.
  expect((await move(reference, 'due')).body.record.status).toBe('due')
  await pay(reference, 100, 'EUR', { payment_id: 'P-1' })
  expect((await get(reference)).record.status).toBe('paid')
})

test('the reversal of a payment reopens its invoice: the status follows from what is still paid, recorded as a correction', async () => {
  const { slug, ops, invoice, draft, issue, pay, get, shipment, credit, expectRefused } = await startInvoicing(service)
  const { ops: administer } = await newOperator(service)
  const reverse = (reference: string, payment_id: string, reason?: string) =>
    ops('removePayment', slug, {
      params: { reference, payment_id },
      query: { reason: reason ?? 'Returned by the bank' },
    })
  const reference = await invoice(charge(100))
  await pay(reference, 30, 'EUR', { payment_id: 'R-1' })
  await pay(reference, 70, 'EUR', { payment_id: 'R-2' })
  expect(await shipment()).toMatchObject({ invoice_status: 'paid' })
  await expectRefused(() => reverse(reference, 'R-1', ''), 'invalid_request')
  expect((await reverse(reference, 'R-2')).body).toMatchObject({
    record: { status: 'partially_paid' },
    outstanding: [price(70)],
  })
  expect(await shipment()).toMatchObject({ invoice_status: 'partially_paid' })
  expect((await reverse(reference, 'R-1')).body).toMatchObject({ record: { status: 'due' }, outstanding: [price(100)] })
  const history = await ops('getHistory', slug, { params: { kind: 'invoice', id: reference } })
  expect(history.body[0]).toMatchObject({
    what: 'corrected',
    reason: 'Returned by the bank',
    record: { status: 'due' },
  })
  const log = (await administer('listAccountAudit', slug, { query: { take: 5 } })).body
  expect(log.entries.map(({ details }) => details?.operation)).toContain('removePayment')
  // Recorded again, as an undo does.
  expect((await pay(reference, 70, 'EUR', { payment_id: 'R-2' })).body.record.status).toBe('partially_paid')

  const early = await draft(charge(40))
  await ops('issueInvoice', slug, { params: { reference: early }, body: { due_date: '2199-12-31' } })
  await pay(early, 40, 'EUR', { payment_id: 'R-3' })
  expect((await reverse(early, 'R-3')).body.record.status).toBe('available')
  await expectRefused(() => reverse(early, 'R-3'), 'payment_not_found')

  // What was paid back of a credit note is owed to the customer again.
  const credited = await invoice(charge(20))
  await pay(credited, 20)
  const { body: note } = await credit(credited, charge(5))
  await issue(note.id)
  await pay(note.id, 5, 'EUR', { payment_id: 'R-4' })
  expect((await get(note.id)).record.status).toBe('paid')
  expect((await reverse(note.id, 'R-4')).body).toMatchObject({ record: { status: 'due' }, outstanding: [price(5)] })
})

test('a payment of which something was paid back cannot be reversed', async () => {
  const { slug, ops, invoice, expectRefused } = await startInvoicing(service)
  const params = { reference: await invoice(charge(10)), payment_id: 'R-5' }
  const body = { payment_id: 'R-5', amount: 12, currency: 'EUR' as const, paid_on: '2026-04-01' }
  await ops('recordPayment', slug, { params, body: { ...body, excess: 'keep_unapplied' } })
  await ops('refundPayment', slug, { params, body: { refunded_on: '2026-04-20' } })
  await expectRefused(() => ops('removePayment', slug, { params, query: { reason: 'Wrong' } }), 'payment_refunded')
})

test('an invoice that leaves modification shows its payments, and cannot total less than them', async () => {
  const { invoice, move, pay, replace, shipment, expectRefused } = await startInvoicing(service)
  const reference = await invoice(charge(100))
  await pay(reference, 30)
  await move(reference, 'in_modification')
  await replace(reference, charge(29.99))
  const refusal = await expectRefused(() => move(reference, 'available'), 'payment_exceeds_outstanding')
  expect(refusal).toContain('by 0.01 EUR')
  await replace(reference, charge(31))
  expect((await move(reference, 'available')).body.record.status).toBe('partially_paid')
  await move(reference, 'in_modification')
  await replace(reference, charge(30))
  expect((await move(reference, 'due')).body.record.status).toBe('paid')
  expect((await shipment()).invoice_status).toBe('paid')
})

test('an invoice with a total of zero is paid when it is issued', async () => {
  const { draft, issue } = await startInvoicing(service)
  const reference = await draft(charge(10), charge(-10))
  expect((await issue(reference)).record.status).toBe('paid')
})

test('20 concurrent payments never exceed the outstanding amount', async () => {
  const { invoice, pay, get } = await startInvoicing(service)
  const reference = await invoice(charge(100))
  const responses = await Promise.all(Array.from({ length: 20 }, () => retryWhileBusy(() => pay(reference, 15))))
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(6)
  for (const response of responses)
    if (response.status !== 201) expect(response).toBeRefused('payment_exceeds_outstanding')
  expect((await get(reference)).outstanding).toEqual([price(10)])
})
