import { businessTime } from '../../clock/clock.js'
import type { NeededDocuments } from '../../contract/operator/proposals.js'
import { neededDocuments } from '../../domain/documents/required-documents.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { searchShipmentsByDeadline } from '../../store/search/needed-documents.js'
import { accountScopeOf } from '../accounts/account-scope.js'
import type { OperatorHandler } from '../operator-context.js'
import { indexChanges } from '../search/index-changes.js'
import { findDocumentFacts } from './checklist.js'

/** What shipments of all accounts will need within some days, before it is reported as missing. */
export const findNeededDocuments: OperatorHandler<'findNeededDocuments'> = async (
  { db, signal, operator },
  { query },
) => {
  const { account, days = 7 } = query
  const scope = await accountScopeOf(db, operator, account)
  await indexChanges(db, account, signal)
  const now = new Date(businessTime())
  const { rows, next } = await searchShipmentsByDeadline(db, scope, query, now.toISOString().slice(0, 10))
  const facts = new Map<string, Awaited<ReturnType<typeof findDocumentFacts>>>()
  for (const [slug, of] of groupedBy(rows, (row) => row.account)) {
    const [{ account_id }] = of as [(typeof of)[number]]
    facts.set(
      slug,
      await findDocumentFacts(
        db,
        account_id,
        of.map(({ id }) => id),
      ),
    )
  }
  const shipments = rows.flatMap(({ account: slug, account_name, id }): NeededDocuments['shipments'] => {
    const found = facts.get(slug)?.get(id)
    const documents = found ? neededDocuments(found, now, days) : []
    const name = found?.shipment.name
    return documents.length === 0
      ? []
      : [{ account: slug, account_name, svc_shipment_id: id, ...(name !== undefined && { name }), documents }]
  })
  return { shipments, ...(next !== undefined && { next }) }
}
