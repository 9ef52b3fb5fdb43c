import type { ExceptionRecord, ExceptionVersion } from '../../contract/operator/exceptions.js'
import { invalid } from '../../contract/refusals.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { listExceptionsAt } from '../../ledger/exceptions-at.js'
import { findRevisionAt, findVersions, type PresentVersion } from '../../ledger/history.js'
import type { Transaction } from '../../ledger/transaction.js'
import {
  type ExceptionPlace,
  type ExceptionPosition,
  listAccountExceptionIds,
  listExceptionPlaces,
} from '../../store/exceptions.js'
import { accountScopeOf } from '../accounts/account-scope.js'
import { envelopeOf, getVersion } from '../history/versions.js'
import type { OperatorHandler } from '../operator-context.js'

/** Exceptions as operators see them. */
export const listExceptions: OperatorHandler<'listExceptions'> = async ({ db, operator }, { query }) => {
  const { account: slug, after, take = 50, ...filter } = query
  const scope = await accountScopeOf(db, operator, slug)
  const found = await listExceptionPlaces(
    db,
    scope,
    filter,
    // One row more than requested shows whether there is a next page.
    { after: after === undefined ? undefined : positionOf(after), take: take + 1 },
  )
  const places = found.slice(0, take)
  // Loaded on first use: the port data is large.
  const { placeNameOf } = await import('../../geography/places.js')
  const versions = new Map<string, ExceptionVersion>()
  for (const [account_id, ofAccount] of groupedBy(places, (place) => place.account_id)) {
    const ids = ofAccount.map(({ exception_id }) => exception_id)
    for (const [id, version] of await findVersions(db, account_id, 'exception', ids)) {
      versions.set(`${account_id} ${id}`, versionOf(version, ofAccount[0]?.slug ?? ''))
    }
  }
  const last = places.at(-1)
  return {
    exceptions: places.flatMap(({ account_id, exception_id, shipment_name }): ExceptionVersion[] => {
      const version = versions.get(`${account_id} ${exception_id}`)
      if (!version) return []
      const { place } = version.record.details
      const place_name = place === undefined ? undefined : placeNameOf(place)
      return [{ ...version, ...(shipment_name !== null && { shipment_name }), ...(place_name && { place_name }) }]
    }),
    ...(found.length > take && last && { next: cursorOf(last) }),
  }
}

export const listAccountExceptions: OperatorHandler<'listAccountExceptions'> = async (
  { db, account, accountRow },
  { query: { as_of, skip = 0, take = 20, ...filter } },
) => {
  if (as_of !== undefined) {
    const revision = await findRevisionAt(db, account, as_of)
    const versions = await listExceptionsAt(db, account, revision, filter, { skip, take })
    return versions.map((version) => versionOf(version, accountRow.slug))
  }
  const ids = await listAccountExceptionIds(db, account, filter, { skip, take })
  const versions = await findVersions(db, account, 'exception', ids)
  return ids.flatMap((id) => versions.get(id) ?? []).map((version) => versionOf(version, accountRow.slug))
}

export const getExceptionVersion: OperatorHandler<'getException'> = async (
  { db, account, accountRow },
  { params: { exception_id }, query: { as_of } },
) => {
  const missing = 'exception_not_found'
  const { version } = await getVersion(db, account, 'exception', exception_id, { asOf: as_of, missing })
  return versionOf(version, accountRow.slug)
}

export function versionAfterWrite(tx: Transaction, account: string, record: ExceptionRecord): ExceptionVersion {
  const { revision, at, author } = tx
  return {
    account,
    id: record.exception_id,
    revision,
    recorded_at: new Date(at).toISOString(),
    recorded_by: author,
    record,
  }
}

function versionOf(version: PresentVersion, account: string): ExceptionVersion {
  return { account, ...envelopeOf(version), record: JSON.parse(version.record) as ExceptionRecord }
}

function cursorOf({ newest_first, account_id, exception_id }: ExceptionPlace): string {
  return `${newest_first}.${account_id}.${exception_id}`
}

function positionOf(cursor: string): ExceptionPosition {
  const [, newest_first, account, exception_id] = /^(-?\d{1,18})\.(\d{1,9})\.([\w-]{1,255})$/.exec(cursor) ?? []
  if (newest_first === undefined || account === undefined || exception_id === undefined)
    throw invalid([{ pointer: '/after', detail: 'must be `next` of the page before' }])
  return { newest_first, account_id: Number(account), exception_id }
}
