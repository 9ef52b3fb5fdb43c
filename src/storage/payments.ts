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

/** As they were at a revision: read from all that the account ever had. */
export async function findPaymentsOfInvoicesAt(
  db: Reader,
  account: AccountId,
  references: string[],
  revision: number,
): Promise<PaymentRecord[]> {
  const rows = await db<{ record: string }[]>`
    select record
    from (
      select distinct on (id) id, record from changes
      where account_id = ${account} and kind = 'payment' and what <> 'derived' and revision <= ${revision}
      order by id, revision desc
    ) newest
    where record is not null and record::jsonb ->> 'reference' = any(${references})
    order by record::jsonb ->> 'paid_on' collate "C", id`
  return rows.map(({ record }) => JSON.parse(record) as PaymentRecord)
}
