import { expect, test } from 'vitest'
import { charge, price, startInvoicing } from '../../support/invoices.js'
import { startService } from '../../support/service.js'

const service = await startService()

async function startDisputes() {
  const invoicing = await startInvoicing(service)
  const { slug, ops, credit, issue } = invoicing
  const dispute = (reference: string, ...disputed_lines: number[]) =>
    ops('moveInvoice', slug, {
      params: { reference },
      body: { status: 'litigious', ...(disputed_lines.length > 0 && { disputed_lines }) },
    })
  const credited = async (reference: string, amount: number) => issue((await credit(reference, charge(amount))).body.id)
  const keep = (reference: string, amount: number, payment_id: string) =>
    ops('recordPayment', slug, {
      params: { reference },
      body: { payment_id, amount, currency: 'EUR', paid_on: '2026-04-01', excess: 'keep_unapplied' },
    })
  return { ...invoicing, dispute, credited, keep }
}

test('a credited line is not in dispute any more: the undisputed rest can be paid, which settles the invoice', async () => {
  const { invoice, dispute, credited, pay, get, call, expectRefused } = await startDisputes()
  const reference = await invoice(charge(60), charge(40))
  expect((await dispute(reference, 1)).body).toMatchObject({ disputed: [price(40)], outstanding: [price(100)] })
  await credited(reference, 30)
  expect(await get(reference)).toMatchObject({ disputed: [price(10)], outstanding: [price(70)] })
  await expectRefused(() => pay(reference, 60.01), 'payment_exceeds_outstanding')
  await credited(reference, 10)
  expect(await get(reference)).toMatchObject({
    record: { status: 'litigious' },
    disputed: [],
    outstanding: [price(60)],
  })
  const paid = await pay(reference, 60)
  expect(paid.body).toMatchObject({ record: { status: 'paid' }, disputed: [], outstanding: [price(0)] })
  expect(paid.body.record.dispute).toBeUndefined()
  expect((await call('getInvoice', { params: { reference } })).body.status).toBe('paid')
})

test('an invoice in dispute is settled when all that is owed on it was credited', async () => {
  const { invoice, dispute, credited, pay, get } = await startDisputes()
  const reference = await invoice(charge(60), charge(40))
  await dispute(reference)
  await credited(reference, 100)
  expect(await get(reference)).toMatchObject({ record: { status: 'paid' }, outstanding: [price(0)] })
  const partly = await invoice(charge(60), charge(40))
  await dispute(partly, 1)
  expect((await pay(partly, 60)).body.record.status).toBe('litigious')
  await credited(partly, 40)
  expect(await get(partly)).toMatchObject({ record: { status: 'paid' }, outstanding: [price(0)] })
})

test('what was credited before a dispute does not reduce the disputed lines', async () => {
  const { invoice, dispute, credited, get, pay, expectRefused } = await startDisputes()
  const reference = await invoice(charge(60), charge(40))
  await credited(reference, 50)
  expect((await dispute(reference, 1)).body).toMatchObject({ disputed: [price(40)], outstanding: [price(50)] })
  await expectRefused(() => pay(reference, 10.01), 'payment_exceeds_outstanding')
  await credited(reference, 40)
  expect(await get(reference)).toMatchObject({ disputed: [], outstanding: [price(10)] })
})

test('after a dispute the due date decides whether the invoice is due, whatever status was asked for', async () => {
  const { slug, ops, draft, invoice, dispute, move } = await startDisputes()
  const issueDue = async (due_date: string) => {
    const reference = await draft(charge(10))
    await ops('issueInvoice', slug, { params: { reference }, body: { due_date } })
    await dispute(reference)
    return reference
  }
  const [early, late] = [await issueDue('2199-12-31'), await issueDue('2026-01-01')]
  expect((await move(early, 'due')).body.record.status).toBe('available')
  expect((await move(late, 'available')).body.record.status).toBe('due')
  const undated = await invoice(charge(10))
  await dispute(undated)
  expect((await move(undated, 'available')).body.record.status).toBe('available')
})

test('a second payment of a paid, written-off or disputed invoice is kept as a whole for other invoices', async () => {
  const { slug, ops, invoice, draft, dispute, move, pay, keep, get, expectRefused } = await startDisputes()
  const unapplied = async () => (await ops('getAccountBilling', slug)).body.unapplied
  const [paid, writtenOff, disputed] = [await invoice(charge(10)), await invoice(charge(10)), await invoice(charge(10))]
  await pay(paid, 10)
  await move(writtenOff, 'write_off')
  await dispute(disputed)
  for (const [reference, status] of [
    [paid, 'paid'],
    [writtenOff, 'write_off'],
    [disputed, 'litigious'],
  ] as const) {
    await expectRefused(() => pay(reference, 10), 'transition_not_allowed')
    const kept = await keep(reference, 10, `TWICE-${status}`)
    expect(kept.status, kept.text).toBe(201)
    expect(kept.body.record.status).toBe(status)
    expect(kept.body.payments).toContainEqual(expect.objectContaining({ amount: 10, unapplied: 10 }))
  }
  expect((await get(paid)).outstanding).toEqual([price(0)])
  expect(await unapplied()).toEqual([price(30)])
  const unissued = await draft(charge(10))
  await expectRefused(() => keep(unissued, 10, 'NEVER'), 'invoice_is_draft')
})

test('a payment of which nothing is applied leaves the status of its invoice, as does one that was moved away', async () => {
  const { slug, ops, invoice, dispute, move, keep, get } = await startDisputes()
  const [reference, other] = [await invoice(charge(10)), await invoice(charge(4))]
  await dispute(reference)
  await keep(reference, 10, 'KEPT')
  expect((await move(reference, 'due')).body).toMatchObject({ record: { status: 'due' }, outstanding: [price(10)] })
  await ops('applyPayment', slug, { params: { payment_id: 'KEPT' }, body: { reference: other } })
  expect((await get(other)).record.status).toBe('paid')
  expect((await get(reference)).record.status).toBe('due')
})

test('a payment that is sent again after it was split or paid back in part is still recorded once', async () => {
  const { slug, ops, invoice, keep, revision, expectRefused } = await startDisputes()
  const [reference, other] = [await invoice(charge(10)), await invoice(charge(4))]
  await keep(reference, 20, 'SPLIT')
  await ops('applyPayment', slug, { params: { payment_id: 'SPLIT' }, body: { reference: other } })
  await ops('refundPayment', slug, { params: { payment_id: 'SPLIT' }, body: { amount: 1, refunded_on: '2026-04-20' } })
  const before = await revision()
  const again = await keep(reference, 20, 'SPLIT')
  expect(again.status, again.text).toBe(201)
  expect(again.body.payments).toMatchObject([{ payment_id: 'SPLIT', amount: 16, unapplied: 5 }])
  expect(await revision()).toBe(before)
  await expectRefused(() => keep(reference, 21, 'SPLIT'), 'payment_exists')
})
