import type { PaymentRecord } from '../contract/invoice.js'
import type { Reader } from './database.js'
import type { AccountId, Transaction } from './transaction.js'

export async function savePayment(tx: Transaction, account: AccountId, payment: PaymentRecord): Promise<void> {
  const { payment_id, reference } = payment
  const record = JSON.stringify(payment)
  await tx.sql`
    insert into payments (account_id, payment_id, reference, record, revision)
    values (${account}, ${payment_id}, ${reference}, ${record}, ${tx.revision})`
  await tx.record([{ kind: 'payment', id: payment_id, what: 'created', record }])
}

export async function removePayment(
  tx: Transaction,
  account: AccountId,
  payment_id: string,
  reason: string,
): Promise<void> {
  await tx.sql`delete from payments where account_id = ${account} and payment_id = ${payment_id}`
  await tx.record([{ kind: 'payment', id: payment_id, what: 'removed', reason }])
}

export async function findPayment(
  db: Reader,
  account: AccountId,
  payment_id: string,
): Promise<PaymentRecord | undefined> {
  const [row] = await db<{ record: string }[]>`
    select record from payments where account_id = ${account} and payment_id = ${payment_id}`
  return row && (JSON.parse(row.record) as PaymentRecord)
}

/** In the order in which they were paid. */
export async function findPaymentsOfInvoices(
  db: Reader,
  account: AccountId,
  references: string[],
): Promise<PaymentRecord[]> {
  const rows = await db<{ record: string }[]>`
    select record from payments
    where account_id = ${account} and reference = any(${references})
    order by record::jsonb ->> 'paid_on' collate "C", payment_id`
  return rows.map(({ record }) => JSON.parse(record) as PaymentRecord)
}

/** As they were at a revision: among those that there are now, and those that were changed since then. */
export async function findPaymentsOfInvoicesAt(
  db: Reader,
  account: AccountId,
  references: string[],
  revision: number,
): Promise<PaymentRecord[]> {
  const rows = await db<{ record: string }[]>`
    with candidates as (
      select payment_id as id from payments where account_id = ${account} and reference = any(${references})
      union
      select id from changes
      where account_id = ${account} and kind = 'payment' and revision > ${revision} and what <> 'derived'
    )
    select newest.record
    from candidates
    cross join lateral (
      select id, record from changes
      where account_id = ${account} and kind = 'payment' and id = candidates.id and what <> 'derived'
        and revision <= ${revision}
      order by revision desc limit 1
    ) newest
    where newest.record::jsonb ->> 'reference' = any(${references})
    order by newest.record::jsonb ->> 'paid_on' collate "C", newest.id`
  return rows.map(({ record }) => JSON.parse(record) as PaymentRecord)
}
