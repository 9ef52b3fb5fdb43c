import { Big } from 'big.js'
import type { InvoiceRecord } from '../../contract/public/invoice.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { readSnapshot } from '../../database/snapshot.js'
import {
  entriesOf,
  type Statement,
  type StatementEntry,
  type StatementPeriod,
  statementOf,
  sum,
} from '../../domain/invoices/statement.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { findRecords } from '../../ledger/records.js'
import { findBilling } from '../../store/billing.js'
import { listIssuedInvoices } from '../../store/invoices.js'
import { findPaymentsOfInvoices } from '../../store/payments.js'
import type { OperatorHandler } from '../operator-context.js'
import type { PortalHandler } from '../portal-context.js'
import { print } from './get-invoice-pdf.js'

/** The statement of the account in one currency, as PDF in the language of the person. */
export const getStatement: PortalHandler<'getStatement'> = async (
  { db, account, session, person, forwarderName },
  { query: { currency, from, to, inline } },
) => {
  if (from > to) throw invalid([{ pointer: '/to', detail: 'must not be before `from`' }])
  const statement = await readSnapshot(db, (sql) => readStatement(sql, account, { currency, from, to }))
  const names = { account_name: session.accountName, forwarder_name: forwarderName }
  const content = await print(account, { statement, ...names, language: person.language })
  const name = `${person.language === 'fr' ? 'releve' : 'statement'}-${currency}-${from}-${to}.pdf`
  return { name, mediaType: 'application/pdf', size: content.length, content, isInline: inline !== undefined }
}

/** The same for operators, in the language of the customer's invoices. */
export const getAccountStatement: OperatorHandler<'getAccountStatement'> = async (
  { db, account, accountRow, forwarderName },
  { query: { currency, from, to } },
) => {
  if (from > to) throw invalid([{ pointer: '/to', detail: 'must not be before `from`' }])
  const statement = await readStatement(db, account, { currency, from, to })
  const { forwarder, account: own } = await findBilling(db, account)
  const names = {
    account_name: own.buyer?.name ?? accountRow.name,
    forwarder_name: forwarder.seller?.name ?? forwarderName,
  }
  const language = own.language ?? forwarder.language ?? 'en'
  return async () => {
    const content = await print(account, { statement, ...names, language })
    const name = `statement-${accountRow.slug}-${currency}-${from}-${to}.pdf`
    return { name, mediaType: 'application/pdf', size: content.length, content }
  }
}

const batchLength = 500
const mostEntries = 2000

/** Reads all invoices in batches: memory does not grow with their number. */
async function readStatement(db: Reader, account: AccountId, period: StatementPeriod): Promise<Statement> {
  const { currency, from, to } = period
  let before = new Big(0)
  const within: StatementEntry[] = []
  for (let after = ''; ; ) {
    const batch = await listIssuedInvoices(db, account, after, batchLength)
    const payments = await findPaymentsOfInvoices(
      db,
      account,
      batch.map(({ reference }) => reference),
    )
    const paymentsOf = groupedBy(payments, ({ reference }) => reference)
    for (const record of await findIssued(db, account, batch)) {
      const entries = entriesOf(record, paymentsOf.get(record.reference) ?? [], currency)
      before = before.plus(sum(entries.filter(({ date = '' }) => date < from)))
      within.push(...entries.filter(({ date = '' }) => date >= from && date <= to))
      if (within.length > mostEntries) throw new Refusal('statement_too_long')
    }
    const last = batch.at(-1)
    if (!last || batch.length < batchLength) return statementOf(period, before, within)
    after = last.reference
  }
}

/** Bodies do not have the rounding of a credit note: its record is read. */
async function findIssued(
  db: Reader,
  account: AccountId,
  batch: { reference: string; body: string }[],
): Promise<InvoiceRecord[]> {
  const shown = batch.map(({ body }) => JSON.parse(body) as InvoiceRecord)
  const notes = shown.filter(({ type }) => type === 'credit_note').map(({ reference }) => reference)
  const records = notes.length > 0 ? await findRecords(db, account, 'invoice', notes) : new Map<string, string>()
  return shown.map((each) => {
    const record = records.get(each.reference)
    return record === undefined ? each : (JSON.parse(record) as InvoiceRecord)
  })
}
