import type { BodyOf } from '../../src/contract/public/operations.js'
import type { Database } from '../../src/database/database.js'
import type { TestAccount } from './account.js'

/** Sends the body as it is, valid or not. */
export async function create({ call }: TestAccount, body: object) {
  return call('createPurchaseOrder', { body: body as BodyOf<'createPurchaseOrder'> })
}

export async function update({ call }: TestAccount, body: object) {
  return call('updatePurchaseOrder', { body: body as BodyOf<'updatePurchaseOrder'> })
}

export async function orderOf({ call }: TestAccount, reference: string) {
  return (await call('getPurchaseOrder', { params: { reference } })).body
}

/** Every version of an order, oldest first. */
export async function historyOf(db: Database, { id }: TestAccount, reference: string) {
  const rows = await db<{ revision: number; author: string; what: string; record: string }[]>`
    select revision, author, what, record from changes
    where account_id = ${id} and kind = 'purchase_order' and id = ${reference} order by revision`
  return rows.map((row) => ({ ...row, record: JSON.parse(row.record) as Record<string, unknown> }))
}
