import type { Quotas } from '../../contract/operator/quotas.js'
import type { Scenario, ScenarioName } from '../../contract/sandbox/world.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { day } from '../../domain/dates/local-time.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { codedEvents } from '../../domain/tracking/coded-events.js'
import { noEntries } from '../../domain/tracking/tracking.js'
import { trackedContainers } from '../../domain/tracking/tracking-containers.js'
import { commit } from '../../ledger/commit.js'
import { type Records, readRecords } from '../../ledger/records.js'
import { wholeTracking } from '../../ledger/whole-tracking.js'
import { problemReport, reportsAt } from '../../sandbox/carrier-messages.js'
import { type Due, type Hold, scheduleOf } from '../../sandbox/carrier-schedule.js'
import { listMovingShipments } from '../../store/shipments.js'
import { findTrackingEntries } from '../../store/tracking-entries.js'
import { takeMessage } from '../../usecases/messages/receive-message.js'
import { changeStatus } from '../../usecases/shipments/move-shipment.js'
import type { Bookings } from './bookings.js'

/** Simulated carriers: they send to the inbox what happens to the shipments that are under way. */

export type StartedScenario = Scenario & { holds: Hold[] }

type Options = {
  seed: string
  quotas: Quotas
  started: StartedScenario[]
  /** Undefined: nothing is booked. */
  bookings: Bookings | undefined
  onError(error: unknown): void
}
type Moving = { account: AccountId; slug: string; shipment: Records['shipment']; tracking: Records['tracking'] }

export function openCarriers(db: Database, { seed, quotas, started, bookings, onError }: Options) {
  // What was sent is not sent again, even if it was not applied.
  const sent = new Set<string>()

  async function send(sender: string, format: 'dcsa' | 'events', reports: object[]): Promise<void> {
    const fresh = reports.map((each) => JSON.stringify(each)).filter((text) => !sent.has(keyOf(text)))
    for (const text of fresh) sent.add(keyOf(text))
    // A carrier sends at most so many events at once.
    for (let start = 0; start < fresh.length; start += 500) {
      const content = Buffer.from(`[${fresh.slice(start, start + 500).join(',')}]`)
      await takeMessage(db, { sender, format, channel: 'http', content }, { quotas, onError })
    }
  }

  const holdsOf = ({ slug, shipment }: Moving) =>
    started.flatMap(({ holds }) =>
      holds.filter((hold) => hold.account === slug && hold.svc_shipment_id === shipment.svc_shipment_id),
    )

  const schedule = (each: Moving) => scheduleOf(each.tracking, seed, holdsOf(each), numbersOf(each.shipment))

  async function findConcerned(name: ScenarioName, now: number) {
    return (await readMoving(db)).flatMap((each) => {
      const delayed = scenarios[name].delay(schedule(each), now)
      if (!delayed) return []
      const [{ step, code: held, happens }, until] = delayed
      const { svc_shipment_id } = each.shipment
      const hold: Hold = { account: each.slug, svc_shipment_id, step, code: held, until }
      return { shipment: each.shipment, happens, hold }
    })
  }

  return {
    /** Sends what has happened and what is newly expected. */
    async report(now: number): Promise<void> {
      await bookings?.book(now)
      const moving = await readMoving(db)
      const reports = moving.map((each) => ({ ...each, ...reportsAt(each, now, seed, holdsOf(each)) }))
      for (const [carrier, theirs] of groupedBy(reports, ({ shipment }) => senderOf(shipment)))
        await send(
          carrier,
          'dcsa',
          theirs.flatMap(({ dcsa }) => dcsa),
        )
      await send(
        'Simulated agents',
        'events',
        reports.flatMap(({ events }) => events),
      )
      for (const each of await readMoving(db)) await follow(each)
    },
    /** Returns whom it concerns. */
    async start(name: ScenarioName, now: number): Promise<StartedScenario> {
      const { most, code, words, delay } = scenarios[name]
      let found = await findConcerned(name, now)
      // Where nobody is concerned, a customer of the demo books something that is.
      if (found.length === 0 && (await bookings?.bookOne(now, (each) => !!delay(scheduleOf(each, seed, []), now))))
        found = await findConcerned(name, now)
      const chosen = found.toSorted((one, other) => one.happens - other.happens).slice(0, most)
      const holds = chosen.map(({ hold }) => hold)
      const scenario = {
        name,
        started_at: new Date(now).toISOString(),
        shipments: holds.map(({ svc_shipment_id }) => svc_shipment_id),
        holds,
        ...(holds.length === 0 && { detail: `${words}: no shipment that is booked or under way is to pass there.` }),
      }
      started.push(scenario)
      await send(
        'Simulated agents',
        'events',
        chosen.map(({ shipment, hold }) => problemReport(shipment, hold, { code, words, now })),
      )
      return scenario
    },
  }

  /** The forwarder follows: what moves is in progress; what is delivered, with its empty containers returned, is finished. */
  async function follow(moving: Moving): Promise<void> {
    const { account, shipment, tracking } = moving
    const { svc_shipment_id, status } = shipment
    const actual = codedEvents(tracking).filter((event) => event.status === 'actual')
    const isDelivered = tracking.status === 'delivered' || actual.some(({ code }) => code === 'DELIVERED')
    const hasUnits = trackedContainers(tracking, numbersOf(shipment))[0] !== undefined
    const isDone = isDelivered && schedule(moving).every(({ code }) => code === 'EMPTY_IN' && !hasUnits)
    const next = isDone ? 'finished' : actual.length > 0 ? 'in_progress' : status
    if (next === undefined || next === status) return
    await commit(db, account, 'sandbox', (tx) => changeStatus(tx, account, svc_shipment_id, { status: next }))
  }
}

const scenarios: Record<
  ScenarioName,
  {
    most: number
    code: 'ROLLED' | 'CUSTOMS_HOLD' | 'DELAYED'
    words: string
    /** What is delayed, and until when. */
    delay(schedule: Due[], now: number): [due: Due, until: number] | undefined
  }
> = {
  'rollover at Singapore': {
    most: 3,
    code: 'ROLLED',
    words: 'Rolled to the next sailing at Singapore: vessel overbooked',
    delay(schedule) {
      const due = schedule.find(
        ({ code, unlocode }) => (code === 'LOADED' || code === 'DEPARTED') && unlocode === 'SGSIN',
      )
      return due && [due, due.happens + 7 * day]
    },
  },
  'customs hold': {
    most: 1,
    code: 'CUSTOMS_HOLD',
    words: 'Held by customs: commercial invoice missing',
    delay(schedule, now) {
      const due = schedule.find(({ code }) => code === 'CUSTOMS_RELEASED')
      return due && [due, Math.max(now, due.happens) + 5 * day]
    },
  },
  'strike at Rotterdam for 5 days': {
    most: 500,
    code: 'DELAYED',
    words: 'Terminal at Rotterdam closed by a strike',
    delay(schedule, now) {
      const due = schedule.find(({ unlocode, happens }) => unlocode === 'NLRTM' && happens < now + 5 * day)
      return due && [due, now + 5 * day]
    },
  },
}

async function readMoving(db: Database): Promise<Moving[]> {
  const moving: Moving[] = []
  for (const [account, rows] of groupedBy(await listMovingShipments(db), ({ account_id }) => account_id)) {
    const ids = rows.map(({ svc_shipment_id }) => svc_shipment_id)
    const [shipments, trackings, entries] = await Promise.all([
      readRecords(db, account, 'shipment', ids),
      readRecords(db, account, 'tracking', ids),
      findTrackingEntries(db, account, ids),
    ])
    for (const { svc_shipment_id: id, slug } of rows) {
      const [shipment, record] = [shipments.get(id), trackings.get(id)]
      if (!shipment || !record) continue
      const tracking = wholeTracking(record, entries.get(id) ?? noEntries, shipment)
      moving.push({ account, slug, shipment, tracking })
    }
  }
  return moving
}

/** The name of the carrier, as senders are written. */
function senderOf({ booking_information }: Records['shipment']): string {
  const name = (booking_information?.carrier ?? 'Carrier').normalize('NFD').replaceAll(/[^A-Za-z0-9 ._-]/g, '')
  return `Simulated ${name}`.slice(0, 100).trim()
}

/** Without the time of sending. */
function keyOf(text: string): string {
  return text.replace(/"(?:issued_at|eventCreatedDateTime)":"[^"]*"/, '')
}
