import { invalid, Refusal } from '../../contract/refusals.js'
import { findRecord } from '../../ledger/records.js'
import { nextLocationId } from '../../store/locations.js'
import type { OperatorHandler } from '../operator-context.js'
import { saveLocation } from './location-record.js'

export const createLocation: OperatorHandler<'createLocation'> = async ({ tx, account }, { body }) => {
  const record = { ...body, id: body.id ?? (await nextLocationId(tx.sql, account)) }
  if (!Number.isSafeInteger(record.id)) {
    throw invalid([{ pointer: '/id', detail: 'is required: the account already uses the highest number' }])
  }
  if (await findRecord(tx.sql, account, 'location', String(record.id))) throw new Refusal('location_exists')
  return saveLocation(tx, account, record, undefined)
}
