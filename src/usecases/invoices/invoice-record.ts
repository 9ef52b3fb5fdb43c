import { randomInt } from 'node:crypto'
import type { InvoiceVersion } from '../../contract/operator/invoices.js'
import { type Invoice, InvoiceRecord, type InvoiceRecordLine } from '../../contract/public/invoice.js'
import { type Fault, invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { accountingTotals } from '../../domain/invoices/accounting-totals.js'
import { renderInvoice } from '../../domain/invoices/invoice.js'
import { magnitudeFaults } from '../../domain/invoices/invoice-magnitude.js'
import { placeOfNumber } from '../../domain/invoices/invoice-number.js'
import { chosenMoves } from '../../domain/invoices/invoice-status.js'
import { completeLines, isTooMuch, totalsOf } from '../../domain/invoices/invoice-totals.js'
import { formatMoney } from '../../domain/invoices/money.js'
import { creditedTax, taxDefaults, taxFaults, withTax } from '../../domain/invoices/tax.js'
import { inInterfaceOrder } from '../../domain/records/rendering.js'
import { idAlphabet, idLength, speakableCode } from '../../domain/shipments/shipment-id.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import type { PresentVersion } from '../../ledger/history.js'
import { findRecord } from '../../ledger/records.js'
import { type Put, Transaction } from '../../ledger/transaction.js'
import { findBilling } from '../../store/billing.js'
import { findInvoice, findInvoiceReference } from '../../store/invoices.js'
import { findOwnSeries } from '../../store/number-series.js'
import { findShipmentStatuses } from '../../store/shipments.js'
import { envelopeOf, getVersion } from '../history/versions.js'
import { findInvoiceBalance, findInvoiceBalances, type InvoiceBalance, settledStatus } from './invoice-balance.js'

/** Records of invoices and credit notes: read, validated, stored and shown. */

export async function getInvoiceRecord(
  { sql }: Transaction,
  account: AccountId,
  referenceOrNumber: string,
): Promise<InvoiceRecord> {
  const reference = await findInvoiceReference(sql, account, referenceOrNumber)
  const record = reference === undefined ? undefined : await findInvoiceRecord(sql, account, reference)
  if (!record) throw new Refusal('invoice_not_found')
  return record
}

export async function findInvoiceRecord(
  db: Reader,
  account: AccountId,
  reference: string,
): Promise<InvoiceRecord | undefined> {
  return findRecord(db, account, 'invoice', reference)
}

/** As customers find it: by its reference or else its number, and no draft. */
export async function getIssuedInvoice(
  db: Reader,
  account: AccountId,
  referenceOrNumber: string,
): Promise<InvoiceRecord> {
  const found = await findInvoice(db, account, referenceOrNumber)
  const record = found && (await findInvoiceRecord(db, account, found.id))
  if (!record) throw new Refusal('invoice_not_found')
  return record
}

/** A short, pronounceable reference that no invoice of the account has. */
export async function newReference(tx: Transaction, account: AccountId, prefix: string): Promise<string> {
  const reference = randomIdentifier(prefix)
  const taken = await findInvoiceReference(tx.sql, account, reference)
  return taken === undefined ? reference : newReference(tx, account, prefix)
}

export function randomIdentifier(prefix: string): string {
  return `${prefix}-${speakableCode(randomInt(idAlphabet.length ** idLength))}`
}

// Shipments link invoices by number, so a reference equal to the number of another invoice would hide that one. A reference
// in the form of a number would have to be skipped on issue, and leave a gap if its draft is discarded.
export async function refuseReference({ sql }: Transaction, account: AccountId, reference: string): Promise<void> {
  if ((await findInvoiceReference(sql, account, reference)) !== undefined) {
    throw new Refusal(
      'invoice_exists',
      `The account already has an invoice or credit note with the reference or number ${reference}.`,
    )
  }
  const place = placeOfNumber(reference)
  if (place && (await findOwnSeries(sql)).includes(place.series)) {
    throw invalid([{ pointer: '/reference', detail: 'must not have the form of the numbers that are given on issue' }])
  }
}

type Content = {
  lines: InvoiceRecordLine[]
  svc_shipment_id?: string | undefined
  usd_to_eur_rate?: number | undefined
  credited_invoice?: string | undefined
}

/** The lines with their prices; refuses with all faults of the content. */
export async function checkedLines(
  tx: Transaction,
  account: AccountId,
  { lines, svc_shipment_id, usd_to_eur_rate, credited_invoice }: Content,
  type: InvoiceRecord['type'],
): Promise<InvoiceRecordLine[]> {
  const { forwarder, account: own } = await findBilling(tx.sql, account)
  const invoice =
    credited_invoice === undefined ? undefined : await findInvoiceRecord(tx.sql, account, credited_invoice)
  const defaults = { ...taxDefaults(forwarder, own), credited: invoice && creditedTax(invoice) }
  const taxed = lines.map((line) => withTax(line, defaults))
  const completed = completeLines(taxed, { usd_to_eur_rate })
  const faults = [...magnitudeFaults({ lines, usd_to_eur_rate }), ...completed.faults, ...taxed.flatMap(taxFaultsAt)]
  if (faults.length === 0) faults.push(...totalFaults(completed.lines, type))
  if (svc_shipment_id !== undefined) faults.push(...(await shipmentFaults(tx, account, svc_shipment_id)))
  if (faults.length > 0) throw invalid(faults)
  return completed.lines
}

function taxFaultsAt(line: InvoiceRecordLine, index: number): Fault[] {
  return taxFaults(line).map(({ pointer, detail }) => ({ pointer: `/lines/${index}${pointer}`, detail }))
}

function totalFaults(lines: InvoiceRecordLine[], type: InvoiceRecord['type']): Fault[] {
  return totalsOf(lines).flatMap((total) => {
    const { currency, gross } = total
    const sum = `add up to ${formatMoney({ amount: gross, currency })}`
    if (isTooMuch(total)) {
      return [
        { pointer: '/lines', detail: `${sum}: every sum must be less than ${formatMoney({ amount: 1e12, currency })}` },
      ]
    }
    if (type === 'credit_note') {
      return gross > 0 ? [] : [{ pointer: '/lines', detail: `${sum}: a credit note must credit something` }]
    }
    return gross >= 0 ? [] : [{ pointer: '/lines', detail: `${sum}: use a credit note for a negative amount` }]
  })
}

async function shipmentFaults({ sql }: Transaction, account: AccountId, id: string): Promise<Fault[]> {
  const known = await findShipmentStatuses(sql, account, [id])
  return known.has(id) ? [] : [{ pointer: '/svc_shipment_id', detail: 'the account has no such shipment' }]
}

export async function saveInvoice(
  tx: Transaction,
  account: AccountId,
  given: InvoiceRecord,
  { reason, what }: Pick<Put<'invoice'>, 'reason' | 'what'> = {},
): Promise<void> {
  const record = inInterfaceOrder(InvoiceRecord, given)
  const before = await findInvoiceRecord(tx.sql, account, record.reference)
  tx.put('invoice', [{ record, before, reason, what }])
}

/** Updates the status of an invoice after a payment or a credit note. */
export async function settleInvoice(tx: Transaction, account: AccountId, reference: string): Promise<void> {
  const record = await findInvoiceRecord(tx.sql, account, reference)
  if (!record || record.draft) return
  const balance = await findInvoiceBalance(tx.sql, account, record)
  const status = settledStatus(record.status ?? 'available', record, balance)
  if (status === 'paid' || status === 'partially_paid') {
    const { dispute: _ended, ...settled } = record
    await saveInvoice(tx, account, { ...settled, status })
  }
}

export async function presentInvoice(
  { sql }: Transaction,
  account: AccountId,
  reference: string,
): Promise<InvoiceVersion> {
  const [version] = await invoicesShown(sql, account, [
    (await getVersion(sql, account, 'invoice', reference, { asOf: undefined, missing: 'invoice_not_found' })).version,
  ])
  return version as InvoiceVersion
}

/** Versions with their totals, payments and balance, at present or at a revision. */
export async function invoicesShown(
  db: Reader,
  account: AccountId,
  versions: PresentVersion[],
  revision?: number,
): Promise<InvoiceVersion[]> {
  const records = await mapInSlices(versions, ({ record }) => JSON.parse(record) as InvoiceRecord)
  const balances = await findInvoiceBalances(db, account, records, revision)
  return mapInSlices(versions, (version) => versionOf(version, balances.get(version.id) as InvoiceBalance))
}

function versionOf(version: PresentVersion, balance: InvoiceBalance): InvoiceVersion {
  const envelope = { ...envelopeOf(version), record: JSON.parse(version.record) as InvoiceRecord }
  const { totals, payments, credit_notes, outstanding, disputed } = balance
  const shown: Invoice | undefined = envelope.record.draft ? undefined : renderInvoice(envelope.record)
  return {
    ...envelope,
    ...(shown && { shown }),
    totals,
    payments,
    credit_notes: credit_notes.map(({ reference }) => reference),
    outstanding,
    disputed,
    accounting: accountingTotals(totals, envelope.record.billing?.accounting),
  }
}

/** The end of a refusal's message: the moves that the status allows. */
export function allowedMoves(status: InvoiceRecord['status']): string {
  const moves = chosenMoves(status)
  return moves.length > 0 ? `allowed now: ${moves.join(', ')}` : 'this status is final'
}
