import { businessDate } from '../../clock/clock.js'
import type { PortalQuery } from '../../contract/portal/operations.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { eitherCriterion, indexCriterion, matchesAll, valueCriterion, wordsCriterion, wordsQuery } from './criteria.js'
import { decodeCursor } from './cursor.js'
import { columnOrder } from './index-scan.js'
import { type Criterion, countMatches } from './match-counts.js'
import { findPage, type Page } from './page.js'
import { searchTables } from './search-tables.js'
import { parseSearch, type SearchTerms } from './search-words.js'
import { searchShipments } from './shipment-search.js'

/** The document search of the portal, the newest first. Bodies end before the link. */

type Search = PortalQuery<'findDocuments'>
type Filter = { terms: SearchTerms | undefined; type: string | null; shipment: string | null; shipments: string[] }

// The most shipments of which documents are found by words of the shipment.
const mostShipments = 100

export async function searchDocuments(db: Database, account: AccountId, search: Search): Promise<Page> {
  const { q, type = null, svc_shipment_id: shipment = null, take = 50 } = search
  const after = decodeCursor(search.after, 'integer', isUuid)
  const terms = parseSearch(q)
  // By container, order or vessel: documents of the shipments that the same words find.
  const shipments = terms ? (await searchShipments(db, account, { q, take: mostShipments }, businessDate())).ids : []
  const filter: Filter = { terms, type, shipment, shipments }
  const criteria = criteriaOf(db, account, filter)
  const { total, conditions } = await countMatches(db, account, 'document', criteria)
  const order = columnOrder(db, 'newest_first', undefined)
  return findPage(db, account, searchTables.document, {
    total,
    conditions,
    matches: matchesAll(db, criteria),
    order,
    after,
    take,
  })
}

function isUuid(text: unknown): text is string {
  return typeof text === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)
}

function criteriaOf(db: Database, account: AccountId, { terms, type, shipment, shipments }: Filter): Criterion[] {
  return [
    ...(type === null ? [] : [valueCriterion(db, account, searchTables.document, 'type', [type])]),
    ...(shipment === null ? [] : [ofShipment(db, account, shipment)]),
    ...(terms ? [byWords(db, account, terms, shipments)] : []),
  ]
}

function byWords(db: Database, account: AccountId, terms: SearchTerms, shipments: string[]): Criterion {
  if (shipments.length === 0) return wordsCriterion(db, account, searchTables.document, terms)
  return eitherCriterion(db, account, searchTables.document, wordsQuery(db, account, searchTables.document, terms), {
    matches: db`svc_shipment_id = any(${shipments})`,
    query: (columns, limit) => db`
      select ${columns} from document_search
      where account_id = ${account} and svc_shipment_id = any(${shipments}) limit ${limit}`,
  })
}

function ofShipment(db: Database, account: AccountId, shipment: string): Criterion {
  return indexCriterion(
    db,
    db`svc_shipment_id = ${shipment}`,
    (columns, limit) => db`
      select ${columns} from document_search
      where account_id = ${account} and svc_shipment_id = ${shipment} order by newest_first, id limit ${limit}`,
  )
}
