import type { Language } from '../../contract/portal/people.js'
import type { FreeTimeClock } from '../../contract/public/free-time.js'
import type { Shipment } from '../../contract/public/shipment.js'

/** The dates of a shipment as entries of a calendar. */

export type CalendarEntry = {
  /** Identifies it among all entries of the account, whatever its date. */
  id: string
  svc_shipment_id: string
  day: string
  summary: string
  description: string
}

type Named = { goods: string; place: string | undefined; isActual: boolean }

const texts = {
  en: {
    departure: ({ goods, place, isActual }: Named) =>
      `${isActual ? 'Departed' : 'Departs'}${from('from', place)}: ${goods}`,
    arrival: ({ goods, place, isActual }: Named) => `${isActual ? 'Arrived' : 'Arrives'}${from('at', place)}: ${goods}`,
    delivery: ({ goods, isActual }: Named) => `${isActual ? 'Delivered' : 'Delivery'}: ${goods}`,
    lastFreeDay: (clock: string, container: string, goods: string) =>
      `Last free day (${clock}), ${container}: ${goods}`,
    clocks: { demurrage: 'demurrage', detention: 'detention', combined: 'demurrage and detention', storage: 'storage' },
    shipment: (id: string) => `Shipment ${id}`,
    allContainers: 'all containers',
    statuses: {
      planned: 'Planned.',
      estimated: 'Estimated.',
      actual: 'Actual.',
      problem: 'Estimated, while something holds the shipment up.',
    },
  },
  fr: {
    departure: ({ goods, place, isActual }: Named) =>
      `${isActual ? 'Parti' : 'Départ'}${from('de', place)}\u00a0: ${goods}`,
    arrival: ({ goods, place, isActual }: Named) =>
      `${isActual ? 'Arrivé' : 'Arrivée'}${from('à', place)}\u00a0: ${goods}`,
    delivery: ({ goods, isActual }: Named) => `${isActual ? 'Livré' : 'Livraison'}\u00a0: ${goods}`,
    lastFreeDay: (clock: string, container: string, goods: string) =>
      `Dernier jour de franchise (${clock}), ${container}\u00a0: ${goods}`,
    clocks: {
      demurrage: 'surestaries',
      detention: 'détention',
      combined: 'surestaries et détention',
      storage: 'stockage',
    },
    shipment: (id: string) => `Expédition ${id}`,
    allContainers: 'tous les conteneurs',
    statuses: {
      planned: 'Date planifiée.',
      estimated: 'Date estimée.',
      actual: 'Date réelle.',
      problem: 'Date estimée, alors que l’expédition est bloquée.',
    },
  },
} as const satisfies Record<Language, unknown>

function from(word: string, place: string | undefined): string {
  return place === undefined ? '' : ` ${word} ${place}`
}

const milestones = [
  ['departure', 'departure_date', 'origin_port_unlocode'],
  ['arrival', 'arrival_date', 'destination_port_unlocode'],
  ['delivery', 'delivery_date', undefined],
] as const

export function calendarEntries(
  shipment: Shipment,
  clocks: readonly FreeTimeClock[],
  language: Language,
  portName: (code: string) => string,
): CalendarEntry[] {
  const { svc_shipment_id, name, main_tracking_dates: dates = {}, route = {} } = shipment
  const m = texts[language]
  const goods = name ?? svc_shipment_id
  const entries = milestones.flatMap(([kind, field, port]): CalendarEntry[] => {
    const date = dates[field]
    if (!date) return []
    const code = port === undefined ? undefined : route[port]
    const isActual = date.status === 'actual'
    const place = code === undefined ? undefined : portName(code)
    return [
      {
        id: `${svc_shipment_id} ${kind}`,
        svc_shipment_id,
        day: date.date.slice(0, 10),
        summary: m[kind]({ goods, place, isActual }),
        description: `${m.shipment(svc_shipment_id)}\n${m.statuses[date.status]}`,
      },
    ]
  })
  const lastDays = clocks.flatMap((clock): CalendarEntry[] => {
    // A clock that has stopped needs nobody's attention any more.
    if (clock.last_free_day === undefined || clock.state === 'stopped') return []
    const container = clock.container_number ?? m.allContainers
    return [
      {
        id: `${svc_shipment_id} last_free_day ${clock.direction} ${clock.clock} ${clock.container_number ?? ''}`,
        svc_shipment_id,
        day: clock.last_free_day,
        summary: m.lastFreeDay(m.clocks[clock.clock], container, goods),
        description: m.shipment(svc_shipment_id),
      },
    ]
  })
  return [...entries, ...lastDays]
}
