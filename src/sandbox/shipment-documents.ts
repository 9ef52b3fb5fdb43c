import type { DocumentType } from '../contract/public/document.js'
import { localDate, utcDate } from '../domain/dates/local-time.js'
import type { DoorSite, SandboxAccount } from './account.js'
import type { Random } from './random.js'
import type { Bundle } from './shipment.js'
import { milestone } from './tracking.js'

/** The types and contents of the documents of a shipment. `document-pdf.ts` lays them out. */

export type SampleDocument = {
  id: string
  type: DocumentType | null
  name: string
  uploaded_at: string
  title: string
  svc_shipment_id: string
  parties: [label: string, text: string][]
  facts: [label: string, text: string][]
  table: string[][]
  statement: string
}

const titles: Record<DocumentType, [title: string, statement: string]> = {
  packing_list: ['Packing list', 'The packages listed above make up the whole consignment.'],
  commercial_invoice: ['Commercial invoice', 'We certify that this invoice is true and correct.'],
  master_bill_of_lading: ['Master bill of lading', 'Shipped on board in apparent good order and condition.'],
  house_bill_of_lading: ['House bill of lading', 'Received for shipment in apparent good order and condition.'],
  master_airway_bill: ['Master air waybill', 'Not negotiable. Issued by the carrier.'],
  house_airway_bill: ['House air waybill', 'Not negotiable. Issued by the forwarder.'],
  proof_of_delivery: ['Proof of delivery', 'Received complete and undamaged unless noted otherwise.'],
  dangerous_goods_declaration: ['Dangerous goods declaration', 'Classified, packed, marked and labelled as required.'],
  material_safety_data_sheet: ['Material safety data sheet', 'Keep away from heat. Wear gloves when handling.'],
  exa: ['Export declaration (EX A)', 'Released for export.'],
  cmr: ['CMR consignment note', 'This carriage is subject to the CMR convention.'],
  ima: ['Import declaration (IM A)', 'Released for free circulation.'],
  power_of_attorney_customs_declaration: ['Power of attorney, customs', 'The forwarder may declare in our name.'],
  power_of_attorney_eur1: ['Power of attorney, EUR.1', 'The forwarder may apply for EUR.1 certificates in our name.'],
  eur1: ['Movement certificate EUR.1', 'The goods described above qualify as originating products.'],
  entry_summary: ['Entry summary declaration', 'Lodged before loading, as the import control system requires.'],
  t1: ['Transit declaration T1', 'Goods under external transit; seals to be kept intact.'],
  cargo_manifest: ['Cargo manifest', 'Extract for the consignment named above.'],
  cargo_screening: ['Cargo screening certificate', 'Screened by X-ray (XRY). Secure for passenger aircraft (SPX).'],
  lithium_certificate: ['Lithium battery certificate', 'Cells and batteries passed UN 38.3 tests.'],
  carta_de_plastico: ['Carta de plástico', 'Impuesto especial sobre los envases de plástico no reutilizables.'],
  levante: ['Levante', 'Autorización de levante de las mercancías.'],
  ddi: ['DDI', 'Demande de déclaration d’importation.'],
  dde: ['DDE', 'Demande de déclaration d’exportation.'],
  pickup_form: ['Pick-up form', 'Driver to sign on collection.'],
}

/** The documents that no such shipment is without. */
export function requiredTypesOf({ shipment }: Bundle): DocumentType[] {
  return [
    ...(shipment.transported_goods?.is_hazardous ? (['dangerous_goods_declaration'] as const) : []),
    ...(shipment.status === 'finished' ? (['proof_of_delivery'] as const) : []),
  ]
}

/** The document types that this shipment may have, the most common ones first. */
export function documentTypesOf({ shipment, lane }: Bundle): DocumentType[] {
  const { mode } = lane
  const bills = {
    ocean: ['house_bill_of_lading', 'master_bill_of_lading', 'entry_summary', 'cargo_manifest'],
    air: ['house_airway_bill', 'master_airway_bill', 'cargo_screening', 'entry_summary'],
    rail: ['cargo_manifest', 't1'],
    truck: ['cmr', 'exa'],
  } as const satisfies Record<typeof mode, DocumentType[]>
  const goods = shipment.transported_goods!
  return [
    ...bills[mode],
    'packing_list',
    'commercial_invoice',
    ...(goods.is_hazardous ? (['dangerous_goods_declaration', 'material_safety_data_sheet'] as const) : []),
    ...(goods.contains_lithium ? (['lithium_certificate'] as const) : []),
    ...(shipment.status === 'finished' ? (['proof_of_delivery', 'ima'] as const) : []),
    ...(shipment.route?.pickup_location_id ? (['pickup_form'] as const) : []),
    ...(lane.warehouse.city.country === 'ES' ? (['levante', 'carta_de_plastico', 'ddi', 'dde'] as const) : []),
    ...(lane.warehouse.city.continent === 'europe' ? (['t1', 'eur1', 'power_of_attorney_eur1'] as const) : []),
    'power_of_attorney_customs_declaration',
  ]
}

export function writeDocument(
  account: SandboxAccount,
  bundle: Bundle,
  type: DocumentType | null,
  now: number,
  random: Random,
): SampleDocument {
  const { shipment, lane, packed, itinerary } = bundle
  const [title, statement] = type === null ? ['Note for the file', 'Scanned as received.'] : titles[type]
  const departed = milestone(itinerary, 'departed')!
  const last = milestone(itinerary, 'delivered')!
  const written = Math.min(type === 'proof_of_delivery' ? last.happens : departed.happens, now)
  const booking = shipment.booking_information
  const value = shipment.commercial_value!
  const goods = shipment.transported_goods!
  const rows = [
    ['Marks', 'Goods', 'Packages', 'Weight', 'Volume'],
    [
      shipment.svc_shipment_id,
      goods.goods_description!,
      String(packed.packages),
      `${packed.weight} ${packed.cargo.total_weight!.unit}`,
      `${packed.volume} cbm`,
    ],
    ...packed.containers.map(({ container_number = '-', container_type, seal_number = '-' }) => [
      container_number,
      container_type!.replaceAll('_', ' '),
      '',
      `Seal ${seal_number}`,
      '',
    ]),
  ]
  return {
    id: random.uuid(),
    type,
    name: `${type ?? 'scan'}-${shipment.svc_shipment_id}.pdf`,
    uploaded_at: utcDate(written),
    title,
    svc_shipment_id: shipment.svc_shipment_id,
    parties: [
      ['Shipper', `${lane.supplier.latinName}\n${addressOf(lane.supplier)}`],
      ['Consignee', `${account.name}\n${addressOf(lane.warehouse)}`],
    ],
    facts: [
      ['Shipment', shipment.svc_shipment_id],
      ['Date', localDate(written, itinerary.steps[departed.step]!.timeZone)],
      ['From', `${lane.origin.city} (${lane.origin.code})`],
      ['To', `${lane.destination.city} (${lane.destination.code})`],
      ...facts([
        ['Carrier', booking?.carrier],
        ['Master bill', booking?.master_bill],
        ['House bill', booking?.house_bill],
        ['Vessel', booking?.ocean_booking?.vessel],
        ['Voyage', booking?.ocean_booking?.voyage],
        ['Flight', booking?.air_booking?.flight_number],
        ['Incoterm', shipment.incoterm?.toUpperCase()],
        ['Value', type === 'commercial_invoice' ? `${value.amount.toFixed(2)} ${value.currency}` : undefined],
        ['Hazard', goods.hazardous_description],
        ['Temperature', goods.temperature_range_description],
      ]),
    ],
    table: rows,
    statement,
  }
}

function facts(candidates: [label: string, text: string | undefined][]): [string, string][] {
  return candidates.flatMap(([label, text]): [string, string][] => (text === undefined ? [] : [[label, text]]))
}

function addressOf({ location }: DoorSite): string {
  return `${location.address}, ${location.zip_code ?? ''} ${location.city}, ${location.country}`
}
