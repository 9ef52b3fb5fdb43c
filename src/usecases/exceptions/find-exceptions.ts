import type { ExceptionPage } from '../../contract/portal/exceptions.js'
import type { Exception } from '../../contract/public/exception.js'
import { countExceptionKinds, countExceptions, listInbox } from '../../store/exception-inbox.js'
import type { PortalHandler } from '../portal-context.js'

/** What needs attention, with the names that the bodies of /v1 lack. */
export const findExceptions: PortalHandler<'findExceptions'> = async ({ db, account }, { query }) => {
  const { skip = 0, take = 50, ...filter } = query
  const [rows, count, kinds] = await Promise.all([
    listInbox(db, account, filter, { skip, take }),
    countExceptions(db, account, filter),
    countExceptionKinds(db, account, filter),
  ])
  // Loaded on first use: the port data is large.
  const { placeNameOf } = await import('../../geography/places.js')
  const exceptions = rows.map(({ body, ...names }): ExceptionPage['exceptions'][number] => {
    const exception = JSON.parse(body) as Exception
    const { place } = exception.details
    const place_name = place === undefined ? undefined : placeNameOf(place)
    const known = Object.entries({ ...names, place_name }).filter(([, name]) => name !== null && name !== undefined)
    return { exception, ...(Object.fromEntries(known) as object) }
  })
  return { exceptions, count, kinds }
}
