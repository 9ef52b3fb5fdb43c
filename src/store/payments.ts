import type { PaymentRecord } from '../contract/public/invoice.js'
import type { AccountId } from '../database/account-id.js'
import { asJson, type Fragment, type Reader, type TransactionSql } from '../database/database.js'
import type { RowWrite } from './write.js'

export function savePayments({ sql, revision }: RowWrite, account: AccountId, payments: PaymentRecord[]): Fragment {
  const given = asJson(payments, (payment) => ({
    payment_id: payment.payment_id,
    reference: payment.reference,
    record: JSON.stringify(payment),
  }))
  return sql`
    insert into payments (account_id, payment_id, reference, record, revision)
    select ${account}, payment_id, reference, record, ${revision}
    from jsonb_to_recordset(${given}::text::jsonb) as saved (payment_id text, reference text, record text)
    on conflict (account_id, payment_id) do update
    set reference = excluded.reference, record = excluded.record, revision = excluded.revision`
}

export function deletePayment(sql: TransactionSql, account: AccountId, payment_id: string): Fragment {
  return sql`delete from payments where account_id = ${account} and payment_id = ${payment_id}`
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

/** A payment as it was recorded, before any of it was split, moved or paid back. */
export async function findPaymentAsRecorded(
  db: Reader,
  account: AccountId,
  payment_id: string,
): Promise<PaymentRecord | undefined> {
  const [row] = await db<{ record: string }[]>`
    select record from changes
    where account_id = ${account} and kind = 'payment' and id = ${payment_id} and what = 'created'
    order by revision desc limit 1`
  return row && (JSON.parse(row.record) as PaymentRecord)
}

/** How identifiers of payments begin that were recorded from a bank list. */
export const bankPrefix = 'BANK-'

/** Payments of bank lists over all accounts. */
export async function findBankPayments(
  db: Reader,
  payment_ids: string[],
): Promise<{ account_id: AccountId; payment_id: string; reference: string }[]> {
  // The prefix as in the partial index: the planner compares conditions as they are written.
  return db`
    select account_id, payment_id, reference from payments
    where payment_id = any(${payment_ids}) and payment_id like 'BANK-%'
    order by payment_id, account_id`
}

/** Payments of which a part is not applied to any invoice. */
export async function listUnapplied(db: Reader, account: AccountId): Promise<PaymentRecord[]> {
  const rows = await db<{ record: string }[]>`
    select record from payments
    where account_id = ${account} and record like '%"unapplied":%' order by payment_id limit 1000`
  return rows.map(({ record }) => JSON.parse(record) as PaymentRecord)
}

/** Ordered by payment date. */
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

/** As they were at a revision. Candidates are the present payments, and all that changed since. */
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
