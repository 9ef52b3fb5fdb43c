import type { EventCode } from '../../contract/public/event-codes.js'
import type { Party, TrackingEventRecord } from '../../contract/public/tracking.js'

/** Which parties take precedence for what, if several report different things. */
const precedence: [codes: EventCode[], parties: Party[]][] = [
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
const partiesOf = new Map(precedence.flatMap(([codes, parties]) => codes.map((code) => [code, new Set(parties)])))

/** 1 for the parties that know best, 0 for the others: among equals the order of knowledge decides. */
export function authorityOf({ code, party }: { code: EventCode; party: Party | undefined }): number {
  return party !== undefined && partiesOf.get(code)?.has(party) ? 1 : 0
}

export const authorityNames = [
  'CBP',
  'FDA',
  'USDA',
  'APHIS',
  'EPA',
  'USCG',
  'CBSA',
  'CFIA',
  'AQIS',
  'MPI',
  'HMRC',
  'DEFRA',
]
const authorities = new RegExp(`\\b(${authorityNames.join('|')})\\b`, 'i')

type Worded = Pick<TrackingEventRecord, 'source_code' | 'description'>

/** The authority that is named, in the words or in the code of X12 (`PA` to `PX`): who sends events of customs reports those of all. */
export function holderOf({ source_code: code = '', description = '' }: Worded): string | undefined {
  const [, named] = authorities.exec(description) ?? []
  if (named !== undefined) return named.toUpperCase()
  return /^P[A-X]$/.test(code) ? code : undefined
}

type Authorised = { authority: string | undefined }

/** Whether a release ends a hold: that of another authority does not. */
export function releasesHoldOf(release: Authorised, held: Authorised): boolean {
  return held.authority === undefined || release.authority === undefined || release.authority === held.authority
}
