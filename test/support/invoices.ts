import { expect } from 'vitest'
import type { Currency } from '../../src/contract/public/shared-types.js'
import type { RefusalCode } from '../../src/contract/refusals.js'
import { newAccount } from './account.js'
import { newOperator } from './operator.js'
import type { RunningService } from './service.js'

export const price = (amount: number, currency: Currency = 'EUR') => ({ amount, currency })

/** A line with the given total. */
export const charge = (amount: number, currency: Currency = 'EUR', vatRate = 0) => ({
  description: 'Freight',
  price: price(amount, currency),
  vatRate,
})

/** Retries like a client after a 503: concurrent writes may lock the account for a while. */
export async function retryWhileBusy<Response extends { status: number }>(
  send: () => Promise<Response>,
): Promise<Response> {
  for (;;) {
    const response = await send()
    if (response.status !== 503) return response
  }
}

/** An account with a shipment, and an operator who may write invoices. */
export async function startInvoicing(service: RunningService) {
  const account = await newAccount(service)
  const { slug, call } = account
  const { ops } = await newOperator(service, 'finance')
  const { ops: operate } = await newOperator(service, 'operations')
  const createShipment = (svc_shipment_id: string) => operate('createShipment', slug, { body: { svc_shipment_id } })
  await createShipment('S-1')
  // An issued invoice can be edited, which is not the default.
  await ops('setAccountBilling', slug, { body: { credit_and_reissue_only: false } })

  async function revision(): Promise<number> {
    const [row] = await service.db<{ revision: number }[]>`select revision from accounts where slug = ${slug}`
    return row?.revision ?? -1
  }

  /** Expects a refusal that changes neither the account nor the number series. */
  async function expectRefused(
    send: () => Promise<{ status: number; text: string; problem: { detail?: string | undefined } }>,
    code: RefusalCode,
  ): Promise<string> {
    const before = await revision()
    const refused = await send()
    expect(refused).toBeRefused(code)
    expect(await revision()).toBe(before)
    return refused.problem.detail ?? ''
  }

  async function draft(...lines: ReturnType<typeof charge>[]): Promise<string> {
    const drafted = await retryWhileBusy(() => ops('draftInvoice', slug, { body: { svc_shipment_id: 'S-1', lines } }))
    expect(drafted.status, drafted.text).toBe(201)
    return drafted.body.id
  }

  async function issue(reference: string, body: { sent_date?: string; status?: 'available' | 'due' } = {}) {
    const issued = await retryWhileBusy(() => ops('issueInvoice', slug, { params: { reference }, body }))
    expect(issued.status, issued.text).toBe(200)
    return issued.body
  }

  /** An issued invoice. */
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
