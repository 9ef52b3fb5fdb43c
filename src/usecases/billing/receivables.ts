import type { OperatorResponse } from '../../contract/operator/operations.js'
import type { InvoiceRecord } from '../../contract/public/invoice.js'
import type { Currency } from '../../contract/public/shared-types.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { ageInvoices } from '../../domain/invoices/invoice-ageing.js'
import { sumPrices } from '../../domain/invoices/invoice-totals.js'
import { findRecords } from '../../ledger/records.js'
import { listDebtors, listOpenInvoices } from '../../store/invoices-of-all-accounts.js'
import { findInvoiceBalances } from '../invoices/invoice-balance.js'
import type { OperatorHandler } from '../operator-context.js'
import { unappliedOf } from './billing-settings.js'
import { forwarderToday } from './find-all-invoices.js'

// Of one customer; with more, the sums cover those that were due first.
const mostOpen = 1000

/** What is outstanding by customer, currency and age, and what was paid in advance. */
export const listReceivables: OperatorHandler<'listReceivables'> = async (
  { db, operator },
  { query: { after = '', take = 50 } },
) => {
  const today = await forwarderToday(db)
  const debtors = await listDebtors(db, operator.accounts, after, take + 1)
  const customers: OperatorResponse<'listReceivables'>['customers'] = []
  for (const { account_id, account, account_name } of debtors.slice(0, take)) {
    const { ages, exact } = await ageAccount(db, account_id, today)
    const unapplied = await unappliedOf(db, account_id)
    const currencies = new Set([...ages.map(({ currency }) => currency), ...unapplied.map(({ currency }) => currency)])
    for (const currency of currencies as Set<Currency>) {
      const age = ages.find((each) => each.currency === currency)
      const amounts = {
        not_due: age?.not_due.amount ?? 0,
        overdue_1_to_30: age?.overdue_1_to_30.amount ?? 0,
        overdue_31_to_60: age?.overdue_31_to_60.amount ?? 0,
        overdue_61_to_90: age?.overdue_61_to_90.amount ?? 0,
        overdue_beyond_90: age?.overdue_beyond_90.amount ?? 0,
      }
      const [total] = sumPrices(Object.values(amounts).map((amount) => ({ amount, currency })))
      customers.push({
        account,
        account_name,
        currency,
        ...amounts,
        total: total?.amount ?? 0,
        unapplied: unapplied.find((price) => price.currency === currency)?.amount ?? 0,
        exact,
      })
    }
  }
  const next = debtors.length > take ? debtors[take - 1]?.account : undefined
  return { today, customers, ...(next !== undefined && { next }) }
}

async function ageAccount(db: Reader, account: AccountId, today: string) {
  const open = await listOpenInvoices(db, [account], mostOpen + 1)
  const references = open.slice(0, mostOpen).map(({ reference }) => reference)
  const records = [...(await findRecords(db, account, 'invoice', references)).values()].map(
    (record) => JSON.parse(record) as InvoiceRecord,
  )
  const balances = await findInvoiceBalances(db, account, records)
  const owed = records.map(({ reference, due_date }) => ({
    due_date,
    outstanding: balances.get(reference)?.outstanding ?? [],
  }))
  return { ages: ageInvoices(owed, today), exact: open.length <= mostOpen }
}
