import { expect } from 'vitest'
import type { RefusalCode } from '../../src/contract/refusals.js'
import type { Currency } from '../../src/contract/shared-types.js'
import { newAccount } from './account.js'
import { newOperator } from './operator.js'
import type { RunningService } from './service.js'

export const price = (amount: number, currency: Currency = 'EUR') => ({ amount, currency })

/** A line that comes to one amount. */
export const charge = (amount: number, currency: Currency = 'EUR', vatRate = 0) => ({
  description: 'Freight',
  price: price(amount, currency),
  vatRate,
})

/** As a client does that was asked to try again: an account that is written to may be busy for a while. */
export async function persistently<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
  }
}

/** An account with a shipment, and somebody who may write its invoices. */
export async function startInvoicing(service: RunningService) {
  const account = await newAccount(service)
  const { slug, call } = account
  const { ops } = await newOperator(service, 'finance')
  const { ops: operate } = await newOperator(service, 'operations')
  const createShipment = (svc_shipment_id: string) => operate('createShipment', slug, { body: { svc_shipment_id } })
  await createShipment('S-1')

  async function revision(): Promise<number> {
    const [row] = await service.db<{ revision: number }[]>`select revision from accounts where slug = ${slug}`
    return row?.revision ?? -1
  }

  /** A refusal leaves no trace: neither in the account nor in the series of numbers. */
  async function expectRefused(
    answer: () => Promise<{ status: number; text: string; problem: { detail?: string | undefined } }>,
    code: RefusalCode,
  ): Promise<string> {
    const before = await revision()
    const refused = await answer()
    expect(refused).toBeRefused(code)
    expect(await revision()).toBe(before)
    return refused.problem.detail ?? ''
  }

  async function draft(...lines: ReturnType<typeof charge>[]): Promise<string> {
    const drafted = await persistently(() => ops('draftInvoice', slug, { body: { svc_shipment_id: 'S-1', lines } }))
    expect(drafted.status, drafted.text).toBe(201)
    return drafted.body.id
  }

  async function issue(reference: string, body: { sent_date?: string; status?: 'available' | 'due' } = {}) {
    const issued = await persistently(() => ops('issueInvoice', slug, { params: { reference }, body }))
    expect(issued.status, issued.text).toBe(200)
    return issued.body
  }

  /** An invoice that was issued. */
  async function invoice(...lines: ReturnType<typeof charge>[]): Promise<string> {
    const reference = await draft(...lines)
    await issue(reference)
    return reference
  }

  const pay = (reference: string, amount: number, currency: Currency = 'EUR', more: { payment_id?: string } = {}) =>
    ops('recordPayment', slug, { params: { reference }, body: { amount, currency, paid_on: '2026-04-01', ...more } })

  const move = (reference: string, status: 'available' | 'due' | 'in_modification' | 'litigious' | 'write_off') =>
    ops('moveInvoice', slug, { params: { reference }, body: { status } })

  const credit = (reference: string, ...lines: ReturnType<typeof charge>[]) =>
    ops('draftCreditNote', slug, { params: { reference }, body: { lines } })

  const replace = (reference: string, ...lines: ReturnType<typeof charge>[]) =>
    ops('replaceInvoice', slug, { params: { reference }, body: { svc_shipment_id: 'S-1', lines } })

  async function get(reference: string) {
    return (await ops('getInvoice', slug, { params: { reference } })).body
  }

  async function shipment(svc_shipment_id = 'S-1') {
    return (await call('getShipment', { params: { svc_shipment_id } })).body
  }

  return {
    ...account,
    ops,
    createShipment,
    revision,
    expectRefused,
    draft,
    issue,
    invoice,
    pay,
    move,
    credit,
    replace,
    get,
    shipment,
  }
}
