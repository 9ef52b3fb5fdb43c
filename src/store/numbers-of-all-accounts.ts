import type { InvoiceStatus } from '../contract/public/invoice.js'
import type { AccountScope } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import { inScope } from './account-scope.js'

/** Invoices and orders of all accounts by their numbers, in any case. Each condition has an index of its own. */

type NumberedInvoice = { account: string; reference: string; number: string | null; status: InvoiceStatus | null }

export async function findInvoicesByNumber(
  db: Reader,
  scope: AccountScope,
  number: string,
  most: number,
): Promise<NumberedInvoice[]> {
  return db<NumberedInvoice[]>`
    select slug as account, found.reference, found.number, found.status
    from (
      (select account_id, reference, number, status from invoices
        where upper(number) = upper(${number}) and ${inScope(db, scope)} order by account_id, reference limit ${most})
      union
      (select account_id, reference, number, status from invoices
        where upper(reference) = upper(${number}) and ${inScope(db, scope)} order by account_id limit ${most})
    ) found
    join accounts using (account_id)
    order by slug, found.reference limit ${most}`
}

export async function findOrdersByReference(
  db: Reader,
  scope: AccountScope,
  reference: string,
  most: number,
): Promise<{ account: string; reference: string }[]> {
  return db`
    select slug as account, found.reference
    from (
      select account_id, reference from purchase_orders
      where upper(reference) = upper(${reference}) and ${inScope(db, scope)} order by account_id limit ${most}
    ) found
    join accounts using (account_id)
    order by slug, found.reference`
}
