import { buffer } from 'node:stream/consumers'
import type { Invoice } from '../../contract/public/invoice.js'
import type { LocationRecord } from '../../contract/public/location.js'
import type { PurchaseOrderCreate } from '../../contract/public/purchase-order.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { csvRow } from '../../spreadsheet/csv-row.js'
import { xlsxOf } from '../../spreadsheet/xlsx-writer.js'
import { type TableName, tables } from './columns.js'
import { notesName } from './header.js'
import { rowsOf } from './write.js'

/** Template tables: every column, and one example row. */
export function templateCsv(name: TableName): string {
  const { header, rows } = templateOf(name)
  return [header, ...rows].map(csvRow).join('')
}

export async function templateXlsx(name: TableName): Promise<Buffer> {
  const { header, rows } = templateOf(name)
  return buffer(xlsxOf({ name, header, rows: [rows] }, { name: notesName, lines: notes }))
}

const notes = [
  'The first sheet has every column and one example row. Only the first column is required; delete those that you do not need.',
  'A column that is absent, or an empty cell, leaves what is stored as it is. To remove a stored value, write (clear) into its cell.',
  'Entries of a list, such as containers or lines of an order, take a row each. They are matched with stored ones by their number; stored entries without a row stay.',
  '(clear) as the number of an entry removes all stored entries of the list; further rows then add new ones.',
  '',
  'La première feuille contient toutes les colonnes et une ligne d’exemple. Seule la première colonne est obligatoire.',
  'Une colonne absente ou une cellule vide conserve la valeur enregistrée. Pour supprimer une valeur, écrivez (effacer) dans sa cellule.',
  'Les éléments d’une liste (conteneurs, lignes de commande) occupent une ligne chacun. Ils sont rapprochés par leur numéro ; ceux qui sont absents sont conservés.',
  '(effacer) à la place du numéro supprime tous les éléments enregistrés de la liste.',
]

function templateOf(name: TableName) {
  const table = tables[name]
  return { header: table.columns.map((column) => column.name), rows: rowsOf(table, examples[name]) }
}

const shipment: Shipment = {
  svc_shipment_id: 'EXAMPLE-1',
  name: 'Desk lamps, spring',
  status: 'in_progress',
  created_at: '2026-01-12T09:30:00+01:00',
  incoterm: 'fob',
  freight_mode: 'ocean',
  load_type: 'fcl',
  freight_type: 'port_to_door',
  route: { origin_port_unlocode: 'CN/SHA', destination_port_unlocode: 'NL/RTM', delivery_location_id: '1' },
  cargo_ready_date: '2026-02-02',
  desired_delivery_date: '2026-03-20',
  specific_instructions: 'Call before delivery',
  cargo: {
    total_weight: { value: 8200.5, unit: 'kg' },
    total_volume: { value: 28.8, unit: 'cbm' },
    total_teus: 2,
    containers: [
      {
        container_type: 'forty_foot_highcube_standard',
        container_number: 'CSQU3054383',
        seal_number: '0042817',
        purchase_order_references: ['PO-2026-001', 'PO-2026-002'],
      },
    ],
    loads: [
      {
        count: 20,
        type: 'pallet',
        weight: { value: 410, unit: 'kg' },
        length: { value: 120, unit: 'cm' },
        width: { value: 80, unit: 'cm' },
        height: { value: 150, unit: 'cm' },
      },
    ],
  },
  transported_goods: { goods_description: 'Desk lamps', is_stackable: true, is_hazardous: false },
  commercial_value: { amount: 48000, currency: 'USD' },
  needs_ad_valorem_insurance: false,
  booking_information: {
    carrier: 'Example Line',
    master_bill: 'EXLU0012345',
    ocean_booking: { booking_number: '0098123', voyage: '012W', vessel: 'Example Star' },
  },
}

const location: LocationRecord = {
  id: 1,
  company_name: 'Example Trading',
  name: 'Warehouse North',
  address: '12 Harbour Street',
  city: 'Boston',
  zip_code: '02110',
  country: 'US',
  contacts: [{ name: 'Ada Example', email: 'ada@example.com', phone: 16175550100 }],
  opening_hours: 'Mon to Fri, 8 to 17',
  requires_appointment: true,
  requires_tailgate_truck: false,
  additional_information: 'Gate 4',
}

// Without a shipment, so that the template can be imported into an empty account.
const invoice: Invoice = {
  reference: 'EXAMPLE-INV-1',
  number: '2026-0001',
  type: 'invoice',
  status: 'available',
  sent_date: '2026-02-10T17:00:00+01:00',
  due_date: '2026-03-12',
  lines: [
    {
      category: 'freight',
      description: 'Ocean freight Shanghai to Rotterdam',
      price: { amount: 2400, currency: 'USD' },
      quantity: { value: 1, unit: 'container' },
      unit_rate: { amount: 2400, currency: 'USD' },
      vatRate: 0,
    },
  ],
  usd_to_eur_rate: 0.92,
}

const order: PurchaseOrderCreate = {
  reference: 'EXAMPLE-PO-1',
  product_lines: [
    {
      ordered_quantity: 1200,
      product: {
        sku: 'LAMP-0042',
        name: 'Desk lamp',
        hs_code: '940521',
        description: 'Desk lamp with a clamp, black',
        is_hazardous: true,
        hazardous_description: 'UN3481',
      },
      reference: '10',
      unit_price: { amount: 14.9, currency: 'USD' },
      volume: 6.4,
      volume_unit: 'cbm',
    },
  ],
  supplier_id: 'Example Lighting',
  custom_parameters: [{ name: 'season', value: 'spring' }],
  desired_delivery_date: '2026-03-20',
  desired_ex_factory_date: '2026-02-02',
}

const examples = {
  shipments: shipment,
  locations: location,
  invoices: invoice,
  purchase_orders: order,
} satisfies Record<TableName, object>
