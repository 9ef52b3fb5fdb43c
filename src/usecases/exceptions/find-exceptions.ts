import type { ExceptionPage } from '../../contract/portal/exceptions.js'
import type { Exception } from '../../contract/public/exception.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { countExceptionKinds, countExceptions, type InboxFilter, listInbox } from '../../store/exception-inbox.js'
import type { PortalHandler } from '../portal-context.js'

/** What needs attention, with the names that the bodies of /v1 lack. */
export const findExceptions: PortalHandler<'findExceptions'> = async ({ db, account }, { query }) => {
  const { skip = 0, take = 50, ...filter } = query
  const [exceptions, count, kinds] = await Promise.all([
    readExceptions(db, account, filter, { skip, take }),
    countExceptions(db, account, filter),
    countExceptionKinds(db, account, filter),
  ])
  return { exceptions, count, kinds }
}

/** A page of them with the names. */
export async function readExceptions(
  db: Reader,
  account: AccountId,
  filter: InboxFilter,
  page: { skip: number; take: number },
): Promise<ExceptionPage['exceptions']> {
  const rows = await listInbox(db, account, filter, page)
  // Loaded on first use: the port data is large.
  const { placeNameOf } = await import('../../geography/places.js')
  return rows.map(({ body, ...names }): ExceptionPage['exceptions'][number] => {
    const exception = JSON.parse(body) as Exception
    const { place } = exception.details
    const place_name = place === undefined ? undefined : placeNameOf(place)
    const known = Object.entries({ ...names, place_name }).filter(([, name]) => name !== null && name !== undefined)
    return { exception, ...(Object.fromEntries(known) as object) }
  })
}
