import type { AccountBilling, BankDetails, BillingSettings } from '../../contract/billing.js'
import type { PaymentRecord } from '../../contract/public/invoice.js'
import type { Price } from '../../contract/public/shared-types.js'
import { type Fault, invalid } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { isTimeZone } from '../../domain/dates/local-time.js'
import { prefixesOf } from '../../domain/invoices/invoice-number.js'
import { sumPrices } from '../../domain/invoices/invoice-totals.js'
import { isBic, isIban } from '../../domain/invoices/payment-reference.js'
import { forwarderLog, recordAudit } from '../../store/audit.js'
import { findBilling, saveBilling } from '../../store/billing.js'
import { findOwnSeries, listSeries, raiseSeriesOver } from '../../store/number-series.js'
import { listUnapplied } from '../../store/payments.js'
import type { OperatorHandler } from '../operator-context.js'

/** The settings of invoicing. Issued invoices keep what was in force on their day. */

export const getBillingSettings: OperatorHandler<'getBillingSettings'> = async ({ db }) => overviewOf(db)

export const setBillingSettings: OperatorHandler<'setBillingSettings'> = async ({ sql, actor, author }, { body }) => {
  const faults = [...bankFaults(body.bank), ...zoneFaults(body.time_zone), ...rateFaults(body), ...prefixFaults(body)]
  if (faults.length > 0) throw invalid(faults)
  const { forwarder: before } = await findBilling(sql)
  const known = await findOwnSeries(sql)
  await saveBilling(sql, undefined, body, author)
  await recordAudit(sql, forwarderLog, actor, {
    kind: 'setting',
    action: 'setting_changed',
    details: { setting: 'billing', iban: body.bank?.iban, iban_before: before.bank?.iban, seller: body.seller?.name },
  })
  // Numbers of another system, imported for any account, may begin with a new prefix. Last: it locks the series.
  const added = Object.values(prefixesOf(body.number_prefixes)).filter((prefix) => !known.includes(prefix))
  if (added.length > 0) await raiseSeriesOver(sql, added)
  return overviewOf(sql)
}

export const getAccountBilling: OperatorHandler<'getAccountBilling'> = async ({ db, account }) =>
  accountBillingOf(db, account)

export const setAccountBilling: OperatorHandler<'setAccountBilling'> = async ({ tx, account, actor }, { body }) => {
  await saveBilling(tx.sql, account, body, tx.author)
  await recordAudit(tx.sql, account, actor, {
    kind: 'setting',
    action: 'setting_changed',
    details: { setting: 'billing', settings: body },
  })
  return accountBillingOf(tx.sql, account)
}

async function overviewOf(db: Reader): Promise<{ settings: BillingSettings; series: ReturnType<typeof seriesOf>[] }> {
  const { forwarder } = await findBilling(db)
  return { settings: forwarder, series: (await listSeries(db, await findOwnSeries(db))).map(seriesOf) }
}

function seriesOf({ series, year, last, last_date }: Awaited<ReturnType<typeof listSeries>>[number]) {
  return { series, year, last, ...(last_date !== null && { last_date }) }
}

async function accountBillingOf(db: Reader, account: AccountId) {
  const { account: settings } = await findBilling(db, account)
  const payments = await listUnapplied(db, account)
  return {
    settings: settings satisfies AccountBilling,
    unapplied: sumUnapplied(payments),
    unapplied_payments: payments,
  }
}

export async function unappliedOf(db: Reader, account: AccountId): Promise<Price[]> {
  return sumUnapplied(await listUnapplied(db, account))
}

function sumUnapplied(payments: PaymentRecord[]): Price[] {
  return sumPrices(payments.map(({ unapplied = 0, currency }) => ({ amount: unapplied, currency })))
}

function bankFaults(bank: BankDetails | undefined): Fault[] {
  if (!bank) return []
  const faults: Fault[] = []
  if (!isIban(bank.iban)) faults.push({ pointer: '/bank/iban', detail: 'must be an IBAN: its check digits are wrong' })
  if (bank.bic !== undefined && !isBic(bank.bic)) {
    faults.push({ pointer: '/bank/bic', detail: 'must be a BIC of 8 or 11 capital letters and digits' })
  }
  return faults
}

function zoneFaults(zone: string | undefined): Fault[] {
  if (zone === undefined || isTimeZone(zone)) return []
  return [{ pointer: '/time_zone', detail: 'must be a time zone, such as Europe/Paris' }]
}

function prefixFaults({ number_prefixes }: BillingSettings): Fault[] {
  const { invoice, credit_note } = prefixesOf(number_prefixes)
  if (invoice !== credit_note) return []
  return [{ pointer: '/number_prefixes/credit_note', detail: 'must differ from that of invoices' }]
}

function rateFaults({ rates = [], accounting_currency }: BillingSettings): Fault[] {
  if (rates.length > 0 && accounting_currency === undefined) {
    return [{ pointer: '/accounting_currency', detail: 'is required with rates' }]
  }
  const seen = new Set<string>()
  return rates.flatMap(({ currency }, index) => {
    const isTwice = seen.has(currency)
    seen.add(currency)
    const pointer = `/rates/${index}/currency`
    if (currency === accounting_currency) return [{ pointer, detail: 'is the accounting currency itself' }]
    return isTwice ? [{ pointer, detail: 'has a rate already' }] : []
  })
}
