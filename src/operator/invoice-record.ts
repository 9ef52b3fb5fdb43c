import { randomInt } from 'node:crypto'
import { type Invoice, type InvoiceLine, InvoiceRecord } from '../contract/invoice.js'
import type { InvoiceVersion } from '../contract/ops/invoices.js'
import { type Fault, invalid, Refusal } from '../contract/refusals.js'
import { renderInvoice } from '../domain/invoice.js'
import { magnitudeFaults } from '../domain/invoice-magnitude.js'
import { placeOfNumber } from '../domain/invoice-number.js'
import { completeLines, isTooMuch, totalsOf } from '../domain/invoice-totals.js'
import { formatMoney } from '../domain/money.js'
import { inInterfaceOrder } from '../domain/rendering.js'
import { idAlphabet, idLength, speakableCode } from '../domain/shipment-id.js'
import type { Reader } from '../storage/database.js'
import { findVersions, type PresentVersion } from '../storage/history.js'
import { findInvoiceReference, saveInvoices } from '../storage/invoices.js'
import { findRecords } from '../storage/records.js'
import { findShipmentStatuses } from '../storage/shipments.js'
import type { AccountId, Transaction } from '../storage/transaction.js'
import { refreshShipments } from './derivation.js'
import { findStanding, findStandings, type Standing, settledStatus } from './invoice-standing.js'
import { envelopeOf, getVersion } from './versions.js'

/** Records of invoices and credit notes: found, checked, stored and shown. */

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
  const record = (await findRecords(db, account, 'invoice', [reference])).get(reference)
  return record === undefined ? undefined : (JSON.parse(record) as InvoiceRecord)
}

/** Something short that can be spoken, and that nothing of the account is called by. */
export async function freeReference({ sql }: Transaction, account: AccountId, prefix: string): Promise<string> {
  const reference = randomIdentifier(prefix)
  const taken = await findInvoiceReference(sql, account, reference)
  return taken === undefined ? reference : freeReference({ sql } as Transaction, account, prefix)
}

export function randomIdentifier(prefix: string): string {
  return `${prefix}-${speakableCode(randomInt(idAlphabet.length ** idLength))}`
}

// A reference that is the number of another invoice would hide it: links of shipments are numbers. One that may become
// a number would have to be passed over, and leave a gap when it is discarded.
export async function refuseReference({ sql }: Transaction, account: AccountId, reference: string): Promise<void> {
  if ((await findInvoiceReference(sql, account, reference)) !== undefined) {
    throw new Refusal(
      'invoice_exists',
      `The account has an invoice or credit note of the reference or number ${reference}.`,
    )
  }
  if (placeOfNumber(reference)) {
    throw invalid([{ pointer: '/reference', detail: 'must not have the form of the numbers that are given on issue' }])
  }
}

type Content = { lines: InvoiceLine[]; svc_shipment_id?: string | undefined; usd_to_eur_rate?: number | undefined }

/** The lines with their prices; every fault of the content at once. */
export async function checkedLines(
  tx: Transaction,
  account: AccountId,
  { lines, svc_shipment_id, usd_to_eur_rate }: Content,
  type: InvoiceRecord['type'],
): Promise<InvoiceLine[]> {
  const completed = completeLines(lines, { usd_to_eur_rate })
  const faults = [...magnitudeFaults({ lines, usd_to_eur_rate }), ...completed.faults]
  if (faults.length === 0) faults.push(...totalFaults(completed.lines, type))
  if (svc_shipment_id !== undefined) faults.push(...(await shipmentFaults(tx, account, svc_shipment_id)))
  if (faults.length > 0) throw invalid(faults)
  return completed.lines
}

function totalFaults(lines: InvoiceLine[], type: InvoiceRecord['type']): Fault[] {
  return totalsOf(lines).flatMap((total) => {
    const { currency, gross } = total
    const sum = `come to ${formatMoney({ amount: gross, currency })}`
    if (isTooMuch(total)) {
      return [
        { pointer: '/lines', detail: `${sum}: every sum must be less than ${formatMoney({ amount: 1e12, currency })}` },
      ]
    }
    if (type === 'credit_note') {
      return gross > 0 ? [] : [{ pointer: '/lines', detail: `${sum}: a credit note must credit something` }]
    }
    return gross >= 0 ? [] : [{ pointer: '/lines', detail: `${sum}: what is less than nothing is a credit note` }]
  })
}

async function shipmentFaults({ sql }: Transaction, account: AccountId, id: string): Promise<Fault[]> {
  const known = await findShipmentStatuses(sql, account, [id])
  return known.has(id) ? [] : [{ pointer: '/svc_shipment_id', detail: 'the account has no such shipment' }]
}

type HowChanged = { what: 'created' | 'updated'; reason?: string | undefined }

/** Stores a record that differs from what is stored, and derives the shipments anew that show it, or showed it. */
export async function saveInvoice(
  tx: Transaction,
  account: AccountId,
  given: InvoiceRecord,
  change: HowChanged,
): Promise<void> {
  const data = inInterfaceOrder(InvoiceRecord, given)
  const record = JSON.stringify(data)
  const { reference, svc_shipment_id } = data
  const before = (await findRecords(tx.sql, account, 'invoice', [reference])).get(reference)
  if (before === record) return
  const body = JSON.stringify(renderInvoice(data))
  await saveInvoices(tx, account, [
    {
      reference,
      number: data.number,
      svc_shipment_id,
      type: data.type,
      status: data.status,
      sent_date: data.sent_date,
      draft: data.draft ?? false,
      credited_invoice: data.credited_invoice,
      stored_at: undefined,
      body,
      record,
      ...change,
    },
  ])
  const left = before === undefined ? undefined : (JSON.parse(before) as InvoiceRecord).svc_shipment_id
  const shipments = new Set([svc_shipment_id, left].flatMap((id) => id ?? []))
  if (shipments.size > 0) await refreshShipments(tx, account, [...shipments])
}

/** Gives an invoice the status that payments and credit notes have made of it. */
export async function settle(tx: Transaction, account: AccountId, reference: string): Promise<void> {
  const record = await findInvoiceRecord(tx.sql, account, reference)
  if (!record || record.draft) return
  const standing = await findStanding(tx.sql, account, record)
  const status = settledStatus(record.status ?? 'available', record.type, standing)
  if (status === 'paid' || status === 'partially_paid') {
    await saveInvoice(tx, account, { ...record, status }, { what: 'updated' })
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

/** Versions with all that follows from them, at present or at a revision. */
export async function invoicesShown(
  db: Reader,
  account: AccountId,
  versions: PresentVersion[],
  revision?: number,
): Promise<InvoiceVersion[]> {
  const records = versions.map(({ record }) => JSON.parse(record) as InvoiceRecord)
  const standings = await findStandings(db, account, records, revision)
  return versions.map((version) => versionOf(version, standings.get(version.id) as Standing))
}

export async function findInvoiceVersions(
  db: Reader,
  account: AccountId,
  references: string[],
): Promise<PresentVersion[]> {
  const versions = await findVersions(db, account, 'invoice', references)
  return references.flatMap((reference) => versions.get(reference) ?? [])
}

function versionOf(version: PresentVersion, standing: Standing): InvoiceVersion {
  const envelope = { ...envelopeOf(version), record: JSON.parse(version.record) as InvoiceRecord }
  const { totals, payments, credit_notes, outstanding } = standing
  const shown: Invoice | undefined = envelope.record.draft ? undefined : renderInvoice(envelope.record)
  return {
    ...envelope,
    ...(shown && { shown }),
    totals,
    payments,
    credit_notes: credit_notes.map(({ reference }) => reference),
    outstanding,
  }
}
