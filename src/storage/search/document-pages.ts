import type { PortalQuery } from '../../contract/portal/operations.js'
import type { Database } from '../database.js'
import type { AccountId } from '../transaction.js'
import { answering, havingValue, havingWords, matchingAll } from './criteria.js'
import { placeOf } from './cursor.js'
import { type Criterion, measure } from './measuring.js'
import { findPage, type Page } from './page.js'
import { listed } from './searched.js'
import { columnOrder } from './walk.js'
import { type Sought, soughtIn } from './words.js'

/** Documents as people look for them, the newest first. Their bodies end before the link. */

type Search = PortalQuery<'findDocuments'>
type Filter = { sought: Sought | undefined; type: string | null; shipment: string | null }

export async function findDocumentPage(db: Database, account: AccountId, search: Search): Promise<Page> {
  const { q, type = null, svc_shipment_id: shipment = null, take = 50 } = search
  const after = placeOf(search.after, 'integer', isUuid)
  const filter: Filter = { sought: soughtIn(q), type, shipment }
  const criteria = criteriaOf(db, account, filter)
  const { total, conditions } = await measure(db, account, 'document', criteria)
  const order = columnOrder(db, 'newest_first', undefined)
  return findPage(db, account, listed.document, {
    total,
    conditions,
    matches: matchingAll(db, criteria),
    order,
    after,
    take,
  })
}

function isUuid(text: unknown): text is string {
  return typeof text === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)
}

function criteriaOf(db: Database, account: AccountId, { sought, type, shipment }: Filter): Criterion[] {
  return [
    ...(type === null ? [] : [havingValue(db, account, listed.document, 'type', [type])]),
    ...(shipment === null ? [] : [ofShipment(db, account, shipment)]),
    ...(sought ? [havingWords(db, account, listed.document, sought)] : []),
  ]
}

function ofShipment(db: Database, account: AccountId, shipment: string): Criterion {
  return answering(
    db,
    db`svc_shipment_id = ${shipment}`,
    (columns, limit) => db`
      select ${columns} from document_search
      where account_id = ${account} and svc_shipment_id = ${shipment} order by newest_first, id limit ${limit}`,
  )
}
