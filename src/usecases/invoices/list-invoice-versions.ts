import { Refusal } from '../../contract/refusals.js'
import { findRevisionAt, listIdsAt, listVersionsOf } from '../../ledger/history.js'
import { findInvoiceReference, listInvoiceReferences } from '../../store/invoices.js'
import { getVersion } from '../history/versions.js'
import type { OperatorHandler } from '../operator-context.js'
import { invoicesShown } from './invoice-record.js'

export const listInvoiceVersions: OperatorHandler<'listInvoices'> = async (
  { db, account },
  { query: { skip = 0, take = 20, as_of } },
) => {
  if (as_of !== undefined) {
    const revision = await findRevisionAt(db, account, as_of)
    const references = await listIdsAt(db, account, 'invoice', revision, { skip, take })
    const versions = await listVersionsOf(db, account, 'invoice', references, revision)
    return invoicesShown(db, account, versions, revision)
  }
  const references = await listInvoiceReferences(db, account, { skip, take })
  return invoicesShown(db, account, await listVersionsOf(db, account, 'invoice', references))
}

export const getInvoiceVersion: OperatorHandler<'getInvoice'> = async (
  { db, account },
  { params, query: { as_of } },
) => {
  const reference = (await findInvoiceReference(db, account, params.reference)) ?? params.reference
  const { version, revision } = await getVersion(db, account, 'invoice', reference, {
    asOf: as_of,
    missing: 'invoice_not_found',
  })
  const [shown] = await invoicesShown(db, account, [version], revision)
  if (!shown) throw new Refusal('invoice_not_found')
  return shown
}
