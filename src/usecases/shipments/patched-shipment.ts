import { ShipmentInput } from '../../contract/operator/shipments.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import { invalid } from '../../contract/refusals.js'
import { validatorOf } from '../../contract/validation.js'
import { mergePatch } from '../../domain/records/merge-patch.js'
import { splitShipment } from './shipment-revision.js'

const inputValidator = validatorOf(ShipmentInput)

/** A record with a merge patch applied, validated by its schema. */
export function patchedShipment(record: ShipmentRecord, patch: unknown): ShipmentRecord {
  const { input, rest } = splitShipment(mergePatch(record, patch) as ShipmentRecord)
  const faults = inputValidator.faultsIn(input)
  if (faults.length > 0) throw invalid(faults)
  // A total that the patch sets or removes is no longer computed.
  const sent = Object.keys(((patch as { cargo?: object }).cargo ?? {}) satisfies object)
  const computed_totals = (record.computed_totals ?? []).filter((name) => !sent.includes(name))
  return { ...rest, ...input, computed_totals }
}
