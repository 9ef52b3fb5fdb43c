import type { ExceptionRecord } from '../../contract/operator/exceptions.js'
import { Refusal } from '../../contract/refusals.js'
import { renderException } from '../../domain/exceptions/episodes.js'
import { listExceptionsAt } from '../../ledger/exceptions-at.js'
import { findRevisionAt } from '../../ledger/history.js'
import { findException, streamExceptionBodies } from '../../store/exceptions.js'
import { bodiesOf, type CustomerHandler } from '../customer-context.js'

export const listExceptions: CustomerHandler<'listExceptions'> = async (
  { ask, account },
  { query: { as_of, skip = 0, take, ...filter } },
) => {
  if (as_of === undefined) return bodiesOf(streamExceptionBodies(ask, account, filter, { skip, take }))
  const versions = await ask(async (db) => {
    const revision = await findRevisionAt(db, account, as_of)
    return listExceptionsAt(db, account, revision, { ...filter, isVisible: true }, { skip, take })
  })
  return { page: versions.map(({ record }) => JSON.stringify(renderException(JSON.parse(record) as ExceptionRecord))) }
}

export const getException: CustomerHandler<'getException'> = async ({ ask, account }, { params }) => {
  const found = await ask((db) => findException(db, account, params.exception_id))
  if (!found) throw new Refusal('exception_not_found')
  return { ...found, id: params.exception_id }
}
