import { Refusal } from '../../contract/refusals.js'
import { findRevisionAt, findVersions, listVersionsAt } from '../../ledger/history.js'
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
    const versions = await listVersionsAt(db, account, 'invoice', revision, { skip, take })
    return invoicesShown(db, account, versions, revision)
  }
  const references = await listInvoiceReferences(db, account, { skip, take })
  const versions = await findVersions(db, account, 'invoice', references)
  return invoicesShown(
    db,
    account,
    references.flatMap((reference) => versions.get(reference) ?? []),
  )
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
