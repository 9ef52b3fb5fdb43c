import { businessTime } from '../../clock/clock.js'
import type { InvoiceRow } from '../../contract/operator/billing.js'
import type { InvoiceRecord } from '../../contract/public/invoice.js'
import type { Shipment } from '../../contract/public/shipment.js'
import type { Reader } from '../../database/database.js'
import { daysBetween } from '../../domain/dates/local-days.js'
import { localDate } from '../../domain/dates/local-time.js'
import { settledInvoiceStatuses } from '../../domain/invoices/invoice-status.js'
import { grossOf } from '../../domain/invoices/invoice-totals.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { findRecords } from '../../ledger/records.js'
import { findBilling } from '../../store/billing.js'
import {
  countInvoicesOfAllAccounts,
  listInvoicesOfAllAccounts,
  listUnbilledShipments,
} from '../../store/invoices-of-all-accounts.js'
import { accountScopeOf } from '../accounts/account-scope.js'
import { findInvoiceBalances, type InvoiceBalance } from '../invoices/invoice-balance.js'
import type { OperatorHandler } from '../operator-context.js'

/** Invoices of all accounts, with what is outstanding. */
export const findAllInvoices: OperatorHandler<'findInvoices'> = async ({ db, operator }, { query }) => {
  const scope = await accountScopeOf(db, operator, query.account)
  const today = await forwarderToday(db)
  const { rows, next } = await listInvoicesOfAllAccounts(db, scope, query, today)
  const byAccount = groupedBy(rows, ({ account_id }) => account_id)
  const shown = new Map<string, InvoiceRow>()
  for (const [id, found] of byAccount) {
    const references = found.map(({ reference }) => reference)
    const records = [...(await findRecords(db, id, 'invoice', references)).values()].map(
      (record) => JSON.parse(record) as InvoiceRecord,
    )
    const balances = await findInvoiceBalances(db, id, records)
    const [{ account: slug, account_name } = { account: '', account_name: '' }] = found
    for (const record of records) {
      const balance = balances.get(record.reference) as InvoiceBalance
      shown.set(`${id} ${record.reference}`, { account: slug, account_name, ...rowOf(record, balance, today) })
    }
  }
  return {
    today,
    counts: await countInvoicesOfAllAccounts(db, scope, today),
    invoices: rows.flatMap(({ account_id, reference }) => shown.get(`${account_id} ${reference}`) ?? []),
    ...(next !== undefined && { next }),
  }
}

function rowOf(
  record: InvoiceRecord,
  { totals, outstanding, disputed }: InvoiceBalance,
  today: string,
): Omit<InvoiceRow, 'account' | 'account_name'> {
  const { reference, number, status, svc_shipment_id, sent_date, due_date, draft = false, type = 'invoice' } = record
  const isOpen = !draft && type === 'invoice' && !(status && settledInvoiceStatuses.includes(status))
  const overdue = isOpen && due_date !== undefined && due_date < today ? daysBetween(due_date, today) : undefined
  return {
    reference,
    draft,
    type,
    totals: totals.map(grossOf),
    outstanding,
    disputed,
    ...(number !== undefined && { number }),
    ...(status !== undefined && { status }),
    ...(svc_shipment_id !== undefined && { svc_shipment_id }),
    ...(sent_date !== undefined && { sent_date }),
    ...(due_date !== undefined && { due_date }),
    ...(overdue !== undefined && { overdue_days: overdue }),
  }
}

// More than a list is read for; beyond that, shipments are older than what is still billed.
const scanned = 5000

/** Shipments under way or finished without an invoice. */
export const listUnbilled: OperatorHandler<'listUnbilled'> = async ({ db, operator }, { query }) => {
  const { account, q, take = 50 } = query
  const scope = await accountScopeOf(db, operator, account)
  const rows = await listUnbilledShipments(db, scope, { scanned, take, q })
  return {
    shipments: rows.map(({ body, ...row }) => {
      const { name, status, freight_mode, main_tracking_dates } = JSON.parse(body) as Shipment
      const delivery = main_tracking_dates?.delivery_date
      return {
        ...row,
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status }),
        ...(freight_mode !== undefined && { freight_mode }),
        ...(delivery?.status === 'actual' && delivery.date !== undefined && { delivered_on: delivery.date }),
      }
    }),
  }
}

/** The day in the forwarder's time zone, or in UTC. */
export async function forwarderToday(db: Reader, now = businessTime()): Promise<string> {
  const { forwarder } = await findBilling(db)
  return localDate(now, forwarder.time_zone ?? 'UTC')
}
