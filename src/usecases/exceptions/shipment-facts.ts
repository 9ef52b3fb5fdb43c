import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import type { OrderLine, ShipmentFacts, SlipMemory } from '../../domain/exceptions/condition.js'
import { slipMemory } from '../../domain/exceptions/date-rules.js'
import type { Thresholds } from '../../domain/exceptions/thresholds.js'
import { freeTimeInParts } from '../../domain/free-time/free-time.js'
import type { FreeTimeRules } from '../../domain/free-time/free-time-rules.js'
import type { PurchaseOrderRecord } from '../../domain/purchase-orders/purchase-order.js'
import { groupedBy } from '../../domain/records/grouping.js'
import type { InParts } from '../../domain/records/in-parts.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { journeyOf } from '../../domain/tracking/milestones.js'
import { noEntries } from '../../domain/tracking/tracking.js'
import { type DecidedDates, decideDatesInParts, shownDates } from '../../domain/tracking/tracking-dates.js'
import { findFinishedAtFirst, findFirstTimes, findLastEventTimes } from '../../ledger/history.js'
import { type Records, readRecords } from '../../ledger/records.js'
import { wholeTrackingInParts } from '../../ledger/whole-tracking.js'
import { type Assignment, findAssignmentsOfShipments } from '../../store/assignments.js'
import { findWaivers } from '../../store/document-waivers.js'
import { findDocumentsOfShipments } from '../../store/documents.js'
import { findInvoicesOfShipments } from '../../store/invoices.js'
import { findTrackingEntries } from '../../store/tracking-entries.js'

/** What is stored between evaluations of a shipment, and the slip that was acknowledged last. */
export type PreviousState = {
  memory: SlipMemory | undefined
  raised: ShipmentFacts['raised']
  acknowledged: Acknowledged | undefined
}
type Acknowledged = NonNullable<Parameters<typeof slipMemory>[2]>

export type Given = {
  previousState(shipment: string): PreviousState
  /** Of the account. */
  slug: string
  freeTime: FreeTimeRules
  watchedSince: number
  thresholds: Thresholds
  now: number
}

export type DerivedShipment = { facts: ShipmentFacts; memory: SlipMemory }

/** Reads what the facts of some shipments are derived from, with a fixed number of queries. */
export async function readShipmentFacts(
  db: Reader,
  account: AccountId,
  ids: string[],
  given: Given,
): Promise<Map<string, () => InParts<DerivedShipment>>> {
  const [shipments, trackings, entries, assignments, documents, waivers, invoices, firstTimes, lastEvents] =
    await Promise.all([
      readRecords(db, account, 'shipment', ids),
      readRecords(db, account, 'tracking', ids),
      findTrackingEntries(db, account, ids),
      findAssignmentsOfShipments(db, account, ids),
      findDocumentsOfShipments(db, account, ids),
      findWaivers(db, account, ids),
      findInvoicesOfShipments(db, account, ids),
      findFirstTimes(db, account, 'shipment', ids),
      findLastEventTimes(db, account, ids),
    ])
  const finished = [...shipments.values()].filter(({ status }) => status === 'finished')
  const wereFinished = await findFinishedAtFirst(
    db,
    account,
    finished.map((each) => each.svc_shipment_id),
  )
  const references = [...new Set(assignments.map(({ reference }) => reference))]
  const orders = await readRecords(db, account, 'purchase_order', references)
  const assignmentsOf = groupedBy(assignments, ({ svc_shipment_id }) => svc_shipment_id)
  const documentsOf = groupedBy(documents, ({ svc_shipment_id }) => svc_shipment_id)
  const billed = new Set(invoices.filter(({ type }) => type !== 'credit_note').map((each) => each.svc_shipment_id))
  const read = ([id, shipment]: [string, Records['shipment']]): Read => ({
    shipment,
    tracking: trackings.get(id) ?? { svc_shipment_id: id },
    entries: entries.get(id) ?? noEntries,
    lines: (assignmentsOf.get(id) ?? []).map((each) => lineOf(each, orders.get(each.reference), shipment)),
    documents: documentsOf.get(id) ?? [],
    waived: waivers.get(id) ?? [],
    clocksAt: (tracking, events) =>
      freeTimeInParts(
        { account: given.slug, shipment, tracking, events, wasFinished: wereFinished.has(id) },
        given.freeTime,
        given.now,
      ),
    isBilled: billed.has(id) || (shipment.invoice_references ?? []).length > 0,
    lastReceived: lastEvents.get(id),
    knownSince: Math.max(firstTimes.get(id) ?? 0, given.watchedSince),
  })
  return new Map(Array.from(shipments, (each) => [each[0], () => factsOf(read(each), given)]))
}

type Read = Pick<ShipmentFacts, 'lines' | 'documents' | 'waived' | 'isBilled' | 'knownSince' | 'lastReceived'> & {
  clocksAt(tracking: Records['tracking'], events: DecidedDates['events']): InParts<ShipmentFacts['freeTime']>
  shipment: Records['shipment']
  tracking: Records['tracking']
  entries: typeof noEntries
}

function* factsOf(
  { shipment, tracking, entries, clocksAt, lines, documents, waived, isBilled, lastReceived, knownSince }: Read,
  { previousState, thresholds, now }: Given,
): InParts<DerivedShipment> {
  const whole = yield* wholeTrackingInParts(tracking, entries, shipment)
  const containers = numbersOf(shipment)
  const decided = yield* decideDatesInParts(whole, containers)
  const dates = { ...shipment.main_tracking_dates, ...shownDates(decided) }
  const { memory: known, raised, acknowledged } = previousState(shipment.svc_shipment_id)
  const memory = slipMemory(dates, known, acknowledged)
  return {
    memory,
    facts: {
      shipment: { ...shipment, main_tracking_dates: dates },
      tracking: whole,
      freeTime: yield* clocksAt(whole, decided.events),
      journey: journeyOf(whole),
      decided,
      units: decided.units.map(({ container }) => container),
      lines,
      documents,
      waived,
      isBilled,
      lastReceived,
      knownSince,
      lastPosition: latestTime(entries.positions.map(({ at }) => at)),
      baseline: memory.dates,
      raised,
      thresholds,
      now,
    },
  }
}

function lineOf(
  { reference, line, assigned_quantity, shipped_order_lines }: Assignment,
  order: PurchaseOrderRecord | undefined,
  { desired_delivery_date }: Records['shipment'],
): OrderLine {
  return {
    po_number: reference,
    line,
    sku: order?.product_lines.find((each) => each.reference === line)?.product.sku,
    quantity: assigned_quantity,
    desired_date: order?.desired_delivery_date ?? desired_delivery_date,
    packed: shipped_order_lines,
  }
}

function latestTime(times: (string | undefined)[]): number | undefined {
  const known = times.flatMap((time) => (time === undefined ? [] : Date.parse(time)))
  return known.length > 0 ? Math.max(...known) : undefined
}
