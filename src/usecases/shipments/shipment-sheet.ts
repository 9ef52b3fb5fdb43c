import type { Language } from '../../contract/portal/people.js'
import type { Shipment } from '../../contract/public/shipment.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { lateDays } from '../../domain/shipments/lateness.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import type { Cell } from '../../spreadsheet/cell.js'
import type { SpreadsheetContent } from '../../spreadsheet/spreadsheet-file.js'
import type { Page } from '../../store/search/page.js'
import { type ShipmentQuery, searchShipments } from '../../store/search/shipment-search.js'

/** Shipments as a spreadsheet: a row each, in the order of the search. */

type Column = { en: string; fr: string; of(shipment: Shipment, today: string): Cell | undefined }

const columns: Column[] = [
  { en: 'Shipment', fr: 'Expédition', of: ({ svc_shipment_id }) => svc_shipment_id },
  { en: 'Name', fr: 'Nom', of: ({ name }) => name },
  { en: 'Status', fr: 'Statut', of: ({ status }) => status },
  { en: 'Mode', fr: 'Mode', of: ({ freight_mode }) => freight_mode },
  { en: 'Load', fr: 'Chargement', of: ({ load_type }) => load_type },
  { en: 'Incoterm', fr: 'Incoterm', of: ({ incoterm }) => incoterm?.toUpperCase() },
  { en: 'Origin', fr: 'Origine', of: ({ route }) => route?.origin_port_unlocode },
  { en: 'Destination', fr: 'Destination', of: ({ route }) => route?.destination_port_unlocode },
  { en: 'Cargo ready', fr: 'Marchandise prête', of: ({ cargo_ready_date }) => dayOf(cargo_ready_date) },
  ...milestone('Departure', 'Départ', 'departure_date'),
  ...milestone('Arrival', 'Arrivée', 'arrival_date'),
  ...milestone('Delivery', 'Livraison', 'delivery_date'),
  { en: 'Desired delivery', fr: 'Livraison souhaitée', of: (each) => dayOf(each.desired_delivery_date) },
  { en: 'Days late', fr: 'Jours de retard', of: (each, today) => positive(lateDays(each, today)) },
  { en: 'Carrier', fr: 'Transporteur', of: ({ booking_information: booking }) => booking?.carrier },
  { en: 'Vessel', fr: 'Navire', of: ({ booking_information: booking }) => booking?.ocean_booking?.vessel },
  { en: 'Voyage', fr: 'Voyage', of: ({ booking_information: booking }) => booking?.ocean_booking?.voyage },
  { en: 'Flight', fr: 'Vol', of: ({ booking_information: booking }) => booking?.air_booking?.flight_number },
  {
    en: 'Booking',
    fr: 'Réservation',
    of: ({ booking_information: booking }) => booking?.ocean_booking?.booking_number,
  },
  { en: 'Master bill', fr: 'Connaissement principal', of: ({ booking_information: booking }) => booking?.master_bill },
  { en: 'House bill', fr: 'Connaissement transitaire', of: ({ booking_information: booking }) => booking?.house_bill },
  {
    en: 'Containers',
    fr: 'Conteneurs',
    of: ({ cargo }) => listOf(cargo?.containers?.map((each) => each.container_number)),
  },
  { en: 'TEU', fr: 'EVP', of: ({ cargo }) => cargo?.total_teus },
  { en: 'Weight', fr: 'Poids', of: ({ cargo }) => cargo?.total_weight?.value },
  { en: 'Weight unit', fr: 'Unité de poids', of: ({ cargo }) => cargo?.total_weight?.unit },
  { en: 'Volume (cbm)', fr: 'Volume (m³)', of: ({ cargo }) => cargo?.total_volume?.value },
  { en: 'Orders', fr: 'Commandes', of: ({ purchase_order_references }) => listOf(purchase_order_references) },
  { en: 'Invoices', fr: 'Factures', of: ({ invoice_references }) => listOf(invoice_references) },
]

function milestone(en: string, fr: string, field: 'departure_date' | 'arrival_date' | 'delivery_date'): Column[] {
  return [
    { en, fr, of: ({ main_tracking_dates: dates }) => dayOf(dates?.[field]?.date.slice(0, 10)) },
    { en: `${en}: kind`, fr: `${fr} : nature`, of: ({ main_tracking_dates: dates }) => dates?.[field]?.status },
  ]
}

function dayOf(day: string | undefined): Cell | undefined {
  return day === undefined ? undefined : new Date(`${day}T00:00:00Z`)
}

function positive(days: number | undefined): number | undefined {
  return days !== undefined && days > 0 ? days : undefined
}

function listOf(texts: (string | undefined)[] | undefined): string | undefined {
  return texts?.flatMap((text) => text ?? []).join('; ')
}

// Bodies can be large.
const pageLength = 100

/** All results, read page by page while the file is sent. */
export async function shipmentSheet(
  db: Database,
  account: AccountId,
  search: ShipmentQuery,
  { language, today }: { language: Language; today: string },
): Promise<SpreadsheetContent> {
  const read = (after?: string) =>
    searchShipments(db, account, { ...search, take: pageLength, ...(after !== undefined && { after }) }, today)
  // The first page is read before the response begins, so that a failure is an error response.
  const first = await read()
  const rowOf = (body: string) => {
    const shipment = JSON.parse(body) as Shipment
    return columns.map(({ of }) => of(shipment, today) ?? null)
  }
  return {
    name: language === 'fr' ? 'Expéditions' : 'Shipments',
    fileName: `shipments-${today}`,
    header: columns.map((column) => column[language]),
    rows: rowsOf(first, read, rowOf),
  }
}

async function* rowsOf(
  first: Page,
  read: (after: string) => Promise<Page>,
  rowOf: (body: string) => Cell[],
): AsyncGenerator<Cell[][]> {
  for (let page = first; ; page = await read(page.next)) {
    yield await mapInSlices(page.bodies, rowOf)
    if (page.next === undefined) return
  }
}
