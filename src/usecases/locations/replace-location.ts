import type { OperatorHandler } from '../operator-context.js'
import { getLocationRecord, saveLocation } from './location-record.js'

export const replaceLocation: OperatorHandler<'replaceLocation'> = async (
  { tx, account },
  { params: { id }, body },
) => {
  const before = await getLocationRecord(tx.sql, account, id)
  return saveLocation(tx, account, { id: before.id, ...body, ...(before.retired && { retired: true }) }, before)
}
