import type { ExceptionRecord } from '../../contract/operator/exceptions.js'
import type { RequiredDocumentType } from '../../contract/public/checklist.js'
import type { DocumentType } from '../../contract/public/document.js'
import type {
  ExceptionDetails,
  ExceptionEvidence,
  ExceptionKind,
  ReasonKey,
  Severity,
  ThreatenedLine,
} from '../../contract/public/exception.js'
import type { FreeTimeClock } from '../../contract/public/free-time.js'
import type { MainTrackingDates, Shipment } from '../../contract/public/shipment.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { dayNumber } from '../dates/local-days.js'
import { day } from '../dates/local-time.js'
import type { CodedEvent } from '../tracking/coded-events.js'
import type { Journey } from '../tracking/milestones.js'
import type { DecidedDates } from '../tracking/tracking-dates.js'
import type { Thresholds } from './thresholds.js'

/** What exceptions belong to. */
export type ExceptionSubject = {
  svc_shipment_id?: string
  container_number?: string
  po_number?: string
  invoice_reference?: string
}

/** Something that is wrong now. */
export type Condition = ExceptionSubject & {
  kind: ExceptionKind
  /** Distinguishes several of the kind that one subject can have. */
  topic?: string
  severity: Severity
  reason_key: ReasonKey
  details: ExceptionDetails
  /** Since when it is so (ms); absent if unknown. */
  since?: number | undefined
  evidence: ExceptionEvidence[]
  threatens: ThreatenedLine[]
  expected_dates?: Record<string, string>
}

export type Raised = Pick<Condition, 'kind' | 'topic' | 'container_number' | 'severity'> & {
  state?: ExceptionRecord['state'] | undefined
}

/** What is raised already of a kind, for a container or about a topic if it has several. */
export function findRaised(
  { raised }: { raised: Raised[] },
  kind: ExceptionKind,
  { container_number, topic }: Pick<Raised, 'container_number' | 'topic'> = {},
): Raised | undefined {
  return raised.find((each) => each.kind === kind && each.container_number === container_number && each.topic === topic)
}

/** What a rule finds, and the times (ms) at which it may find something else although no record changes. */
export type Findings = { conditions: Condition[]; checks: number[] }

export const nothing: Findings = { conditions: [], checks: [] }

export function merged(findings: Findings[]): Findings {
  const conditions: Condition[] = []
  const checks: number[] = []
  for (const found of findings) {
    for (const condition of found.conditions) conditions.push(condition)
    for (const check of found.checks) checks.push(check)
  }
  return { conditions, checks }
}

/** A line of an order on a shipment, or not on any. */
export type OrderLine = {
  po_number: string
  line: string
  sku: string | undefined
  quantity: number
  desired_date: string | undefined
  /** The quantities in containers, where packing is known. */
  packed: { container_number?: string | undefined; shipped_quantity?: number | undefined }[]
}

/** The expected dates that were last acknowledged, and the episode that did. */
export type SlipMemory = { dates: MilestoneDates; episode: number }
export type MilestoneDates = Partial<Record<keyof MainTrackingDates, string>>

/** Everything that the rules of a shipment depend on. */
export type ShipmentFacts = {
  /** With the dates that customers see. */
  shipment: Pick<
    Shipment,
    | 'svc_shipment_id'
    | 'status'
    | 'created_at'
    | 'accepted_quote'
    | 'freight_mode'
    | 'freight_type'
    | 'transported_goods'
    | 'desired_delivery_date'
    | 'main_tracking_dates'
    | 'invoice_references'
  >
  tracking: TrackingRecord
  journey: Journey
  decided: DecidedDates
  /** Its containers; a single undefined if none is known. */
  units: (string | undefined)[]
  lines: OrderLine[]
  documents: { id: string; name: string; type: DocumentType | null }[]
  /** What the forwarder has decided to do without. */
  waived: RequiredDocumentType[]
  freeTime: FreeTimeClock[]
  /** Whether an invoice was issued. */
  isBilled: boolean
  /** When positions were last reported, and an event was last received (ms). */
  lastPosition: number | undefined
  lastReceived: number | undefined
  /** The dates against which a slip is measured. */
  baseline: MilestoneDates
  /** What is raised already: it takes more to clear it than not to raise it. */
  raised: Raised[]
  /** Before this (ms), what is over is history. */
  knownSince: number
  thresholds: Thresholds
  now: number
}

export function evidenceOf({ tracking }: Pick<ShipmentFacts, 'tracking'>, event: CodedEvent): ExceptionEvidence {
  const { port, location, events = [] } = tracking.tracking_steps?.[event.step] ?? {}
  const { id } = events[event.index] ?? {}
  const place = port?.unlocode ?? port?.city ?? location?.city
  return {
    code: event.code,
    ...(id !== undefined && { event_id: id }),
    ...(event.date !== undefined && { date: event.date }),
    ...(event.container !== undefined && { container_number: event.container }),
    ...(place !== undefined && { place }),
  }
}

export function placeOf({ tracking }: Pick<ShipmentFacts, 'tracking'>, step: number): string | undefined {
  const { port, location } = tracking.tracking_steps?.[step] ?? {}
  return port?.unlocode ?? port?.city ?? location?.city
}

/** The date by which customers plan: the delivery, or else the arrival. */
export function expectedDelivery({ main_tracking_dates: dates = {} }: ShipmentFacts['shipment']): string | undefined {
  return (dates.delivery_date ?? dates.arrival_date)?.date
}

/** The order lines on a shipment, or in one of its containers if that is known. */
export function threatenedLines(facts: ShipmentFacts, container?: string): ThreatenedLine[] {
  const expected_date = expectedDelivery(facts.shipment)
  const packed = container === undefined ? undefined : packedLines(facts.lines)
  const lines = packed && container !== undefined ? (packed.get(container) ?? []) : facts.lines
  return lines.flatMap((line) => (line.quantity > 0 ? [threatened(line, expected_date)] : []))
}

// The same for all containers: with thousands of them, the lines are gone through once.
const packedByContainer = new WeakMap<OrderLine[], Map<string, OrderLine[]>>()

/** The lines in each container, with the quantity that is packed there; undefined if no packing is known. */
function packedLines(lines: OrderLine[]): Map<string, OrderLine[]> | undefined {
  const known = packedByContainer.get(lines)
  if (known) return known.size > 0 ? known : undefined
  const packed = new Map<string, OrderLine[]>()
  for (const line of lines) {
    const quantities = new Map<string, number>()
    for (const { container_number: number, shipped_quantity = 0 } of line.packed)
      if (number) quantities.set(number, (quantities.get(number) ?? 0) + shipped_quantity)
    for (const [number, quantity] of quantities) {
      const others = packed.get(number)
      if (others) others.push({ ...line, quantity })
      else packed.set(number, [{ ...line, quantity }])
    }
  }
  packedByContainer.set(lines, packed)
  return packed.size > 0 ? packed : undefined
}

export function threatened(
  { po_number, line, sku, quantity, desired_date }: Omit<OrderLine, 'packed'>,
  expected_date: string | undefined,
): ThreatenedLine {
  const days =
    desired_date !== undefined && expected_date !== undefined
      ? dayNumber(expected_date.slice(0, 10)) - dayNumber(desired_date)
      : undefined
  return {
    po_number,
    line,
    quantity,
    ...(sku !== undefined && { sku }),
    ...(desired_date !== undefined && { desired_date }),
    ...(expected_date !== undefined && { expected_date }),
    ...(days !== undefined && { days_late: days }),
  }
}

/** The beginning of a calendar day in UTC, some days after it. */
export function dayAfter(date: string, days: number): number {
  return (dayNumber(date) + days) * day
}
