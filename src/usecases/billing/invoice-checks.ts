import type { BillingSettings, InvoiceCheck } from '../../contract/billing.js'
import { checkMeanings } from '../../contract/billing.js'
import type { InvoiceRecord } from '../../contract/public/invoice.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { checkInvoice } from '../../domain/invoices/invoice-checks.js'
import { findRecords } from '../../ledger/records.js'
import { findBilling } from '../../store/billing.js'
import { findInvoice, findInvoiceReference, findReferencesOfShipment } from '../../store/invoices.js'
import { findShipmentBodies } from '../../store/shipments.js'
import type { CustomerHandler } from '../customer-context.js'
import { findClocks } from '../free-time/shipment-free-time.js'
import { findInvoiceBalances, isCredited } from '../invoices/invoice-balance.js'
import { findInvoiceRecord } from '../invoices/invoice-record.js'
import type { OperatorHandler } from '../operator-context.js'

/** Before issuing: what would be found. Afterwards: what was found then. */
export const checkInvoiceOf: OperatorHandler<'checkInvoice'> = async ({ db, account, accountRow }, { params }) => {
  const reference = await findInvoiceReference(db, account, params.reference)
  const record = reference === undefined ? undefined : await findInvoiceRecord(db, account, reference)
  if (!record) throw new Refusal('invoice_not_found')
  const checks = record.draft ? await runChecks(db, account, record, accountRow.name) : (record.checks ?? [])
  return { can_issue: !checks.some(({ outcome }) => outcome === 'blocked'), checks }
}

/** For the customer: the checks that the invoice has passed. */
export const getInvoiceChecks: CustomerHandler<'getInvoiceChecks'> = async ({ ask, account }, { params }) => {
  const found = await ask(async (db) => {
    const invoice = await findInvoice(db, account, params.reference)
    return invoice && { invoice, record: await findInvoiceRecord(db, account, invoice.id) }
  })
  if (!found) throw new Refusal('invoice_not_found')
  const { invoice, record } = found
  const passed = (record?.checks ?? []).filter(({ outcome }) => outcome === 'passed')
  const checks = passed.map(({ check, compared }) => ({ check, meaning: checkMeanings[check], compared }))
  return { ...invoice, body: JSON.stringify({ reference: invoice.id, checks }) }
}

export async function runChecks(
  db: Reader,
  account: AccountId,
  invoice: InvoiceRecord,
  accountName: string,
): Promise<InvoiceCheck[]> {
  const { forwarder, account: own } = await findBilling(db, account)
  const { svc_shipment_id: id } = invoice
  const shipment = id === undefined ? undefined : (await findShipmentBodies(db, account, [id])).get(id)
  const clocks = id === undefined ? [] : ((await findClocks(db, account, [id])).get(id) ?? [])
  return checkInvoice(
    {
      invoice,
      shipment: shipment === undefined ? undefined : (JSON.parse(shipment) as Shipment),
      clocks,
      others: id === undefined ? [] : await findOthers(db, account, id, invoice.reference),
      seller: forwarder.seller,
      buyer: own.buyer && { name: accountName, ...own.buyer },
      bank: forwarder.bank,
      accounting: forwarder,
    },
    forwarder.checks satisfies BillingSettings['checks'],
  )
}

/** Those that still charge something: what was credited or written off as a whole is issued again. */
async function findOthers(
  db: Reader,
  account: AccountId,
  shipment: string,
  reference: string,
): Promise<InvoiceRecord[]> {
  const references = (await findReferencesOfShipment(db, account, shipment)).filter((each) => each !== reference)
  if (references.length === 0) return []
  const found = await findRecords(db, account, 'invoice', references)
  const records = [...found.values()].map((record) => JSON.parse(record) as InvoiceRecord)
  const balances = await findInvoiceBalances(db, account, records)
  return records.filter((record) => {
    const balance = balances.get(record.reference)
    return record.status !== 'write_off' && !(balance && isCredited(balance))
  })
}
