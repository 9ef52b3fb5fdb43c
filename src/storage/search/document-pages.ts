import type { PortalQuery } from '../../contract/portal/operations.js'
import type { Database, Fragment } from '../database.js'
import type { AccountId } from '../transaction.js'
import { answering, havingValue, havingWords } from './criteria.js'
import { placeOf } from './cursor.js'
import { type Criterion, measure } from './measuring.js'
import { findPage, type Page } from './page.js'
import { listed } from './searched.js'
import { columnOrder } from './walk.js'
import { queryOf, type Sought, soughtIn } from './words.js'

/** Documents as people look for them, the newest first. Their bodies end before the link. */

type Search = PortalQuery<'findDocuments'>
type Filter = { sought: Sought | undefined; type: string | null; shipment: string | null }

export async function findDocumentPage(db: Database, account: AccountId, search: Search): Promise<Page> {
  const { q, type = null, svc_shipment_id: shipment = null, take = 50 } = search
  const after = placeOf(search.after, 'integer', isUuid)
  const filter: Filter = { sought: soughtIn(q), type, shipment }
  const { total, conditions } = await measure(db, account, 'document', criteriaOf(db, account, filter))
  const order = columnOrder(db, 'newest_first', undefined)
  return findPage(db, account, listed.document, {
    total,
    conditions,
    matches: matching(db, filter),
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
    (limit) => db`
      select id from document_search
      where account_id = ${account} and svc_shipment_id = ${shipment} order by newest_first, id limit ${limit}`,
  )
}

/** All criteria, of a row. */
function matching(db: Database, { sought, type, shipment }: Filter): Fragment {
  const query = sought ? queryOf(sought) : null
  return db`
    (${type}::text is null or type = ${type})
    and (${shipment}::text is null or svc_shipment_id = ${shipment})
    and (${query}::text is null or words @@ ${query}::text::tsquery)`
}
