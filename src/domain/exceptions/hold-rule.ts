import type { EventCode } from '../../contract/public/event-codes.js'
import { groupedBy } from '../records/grouping.js'
import { releasesHoldOf } from '../tracking/authority.js'
import { type CodedEvent, isNewer } from '../tracking/coded-events.js'
import { evidenceOf, type Findings, type ShipmentFacts } from './condition.js'
import { isActual, isStated, newest, type UnitEvents, unitEvents, wholeShipment } from './unit-events.js'
import { type Found, forUnits, hasEnded, since, where } from './unit-findings.js'

const holds: { topic: string; codes: EventCode[]; releases: EventCode[] }[] = [
  {
    topic: 'customs',
    codes: ['CUSTOMS_HOLD', 'CUSTOMS_INSPECTION'],
    releases: ['CUSTOMS_RELEASED', 'CUSTOMS_CLEARED_EXPORT'],
  },
  { topic: 'carrier', codes: ['CARRIER_HOLD'], releases: ['CARRIER_RELEASED'] },
]
const leavesPort = new Set<EventCode>(['GATE_OUT', 'DELIVERED', 'EMPTY_IN'])

/** Held, and neither released nor gone since. */
export function hold(facts: ShipmentFacts): Findings {
  const rule = (unit: UnitEvents) =>
    holds.map(({ topic, codes, releases }): Found => {
      const held = unit.own.filter((each) => codes.includes(each.code) && isStated(each))
      const ends = (event: CodedEvent) => (each: CodedEvent) =>
        isActual(each) &&
        ((releases.includes(each.code) && releasesHoldOf(each, event)) ||
          (leavesPort.has(each.code) && each.step >= event.step)) &&
        isAfter(event, each)
      // One authority does not release what another one holds.
      const newestOfEach = [...groupedBy(held, ({ authority }) => authority).values()].flatMap(
        (each) => newest(each) ?? [],
      )
      const event = newest(newestOfEach.filter((each) => !hasEnded(facts, unit, ends(each))))
      if (!event) return {}
      return {
        condition: {
          kind: 'hold',
          topic,
          severity: 'warning',
          reason_key: event.code === 'CUSTOMS_INSPECTION' ? 'inspected' : 'held',
          details: { code: event.code, ...where(facts, event), ...(event.date !== undefined && { date: event.date }) },
          since: since(event),
          evidence: [evidenceOf(facts, event)],
        },
      }
    })
  return forUnits(facts, rule, [...unitEvents(facts), ...wholeShipment(facts)])
}

/** Known later; what does not say when it was issued, happened later. */
function isAfter(event: CodedEvent, other: CodedEvent): boolean {
  if (event.issuedAt !== undefined && other.issuedAt !== undefined) return isNewer(event, other)
  return event.step === other.step ? isNewer(event, other) : other.at >= event.at
}
