import type { OperatorHandler } from '../operator-context.js'
import { getLocationRecord, saveLocation } from './location-record.js'

/** Retires a location, or brings it back. */
export const updateLocation: OperatorHandler<'updateLocation'> = async (
  { tx, account },
  { params: { id }, body: { retired, reason } },
) => {
  const before = await getLocationRecord(tx.sql, account, id)
  const { retired: _before, ...record } = before
  return saveLocation(tx, account, { ...record, ...(retired && { retired }) }, before, reason)
}
