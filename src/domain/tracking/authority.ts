import type { EventCode } from '../../contract/public/event-codes.js'
import type { Party } from '../../contract/public/tracking.js'
import type { CodedEvent } from './coded-events.js'

/** Who is believed about what, if several parties say different things. */
const believed: [codes: EventCode[], parties: Party[]][] = [
  [
    ['DEPARTED', 'ARRIVED', 'BERTHED'],
    ['terminal', 'position'],
  ],
  [['LOADED', 'DISCHARGED', 'ROLLED', 'OFFLOADED'], ['carrier']],
  [['CUSTOMS_HOLD', 'CUSTOMS_INSPECTION', 'CUSTOMS_RELEASED', 'CUSTOMS_CLEARED_EXPORT'], ['customs']],
  [
    ['PICKED_UP', 'APPOINTMENT', 'OUT_FOR_DELIVERY', 'DELIVERY_FAILED', 'DELIVERED'],
    ['trucker', 'consignee'],
  ],
]
const partiesOf = new Map(believed.flatMap(([codes, parties]) => codes.map((code) => [code, new Set(parties)])))

/** 1 for the parties that know best, 0 for the others: among equals the order of knowledge decides. */
export function authorityOf({ code, party }: Pick<CodedEvent, 'code' | 'party'>): number {
  return party !== undefined && partiesOf.get(code)?.has(party) ? 1 : 0
}
