import type { InvoiceStatus, InvoiceType } from '../../contract/public/invoice.js'
import {
  type Cargo,
  type Container,
  type ContainerType,
  type MainTrackingDates,
  Shipment,
  TransportedGoods,
} from '../../contract/public/shipment.js'
import { shipmentInvoiceStatus } from '../invoices/invoice.js'
import { inInterfaceOrder } from '../records/rendering.js'

/** The other resources that a shipment shows. */
export type ShipmentContext = {
  invoices: {
    number?: string | null | undefined
    type?: InvoiceType | null | undefined
    status?: InvoiceStatus | null | undefined
  }[]
  assignments: { reference: string; shipped_order_lines: { container_number?: string | undefined }[] }[]
  mainTrackingDates: MainTrackingDates
}

/** The public body. A derived field that was imported is shown until its sources exist. */
export function renderShipment(record: Shipment, context: ShipmentContext): Shipment {
  return inInterfaceOrder(Shipment, {
    ...record,
    ...(record.cargo && { cargo: renderCargo(record.cargo, record.load_type, context) }),
    ...(record.transported_goods && { transported_goods: withDefaults(record.transported_goods) }),
    needs_ad_valorem_insurance: record.needs_ad_valorem_insurance ?? false,
    purchase_order_references: orderReferences(record, context),
    ...renderMainTrackingDates(record, context),
    ...renderInvoices(record, context),
  })
}

function orderReferences(record: Shipment, { assignments }: ShipmentContext): string[] {
  if (assignments.length === 0) return record.purchase_order_references ?? []
  return distinct(assignments.map(({ reference }) => reference))
}

function renderMainTrackingDates(record: Shipment, { mainTrackingDates }: ShipmentContext) {
  const dates = { ...record.main_tracking_dates, ...mainTrackingDates }
  return Object.keys(dates).length > 0 ? { main_tracking_dates: dates } : {}
}

function renderInvoices(record: Shipment, { invoices }: ShipmentContext) {
  if (invoices.length === 0) {
    return {
      invoice_status: record.invoice_status ?? 'awaiting_invoice',
      invoice_references: record.invoice_references ?? [],
    } as const
  }
  return {
    invoice_status: shipmentInvoiceStatus(invoices),
    invoice_references: distinct(invoices.flatMap(({ number }) => number ?? [])),
  }
}

function renderCargo(cargo: Cargo, loadType: Shipment['load_type'], { assignments }: ShipmentContext): Cargo {
  const { containers } = cargo
  // A share of somebody's container is no container.
  const isCounted = loadType !== 'lcl' && cargo.total_teus === undefined
  const references = referencesByContainer(assignments)
  return {
    ...cargo,
    ...(containers?.length && isCounted && { total_teus: totalTeus(containers) }),
    ...(containers && { containers: containers.map((container) => renderContainer(container, references)) }),
  }
}

/** The orders that are packed in each container. */
function referencesByContainer(assignments: ShipmentContext['assignments']): Map<string, Set<string>> {
  const references = new Map<string, Set<string>>()
  for (const { reference, shipped_order_lines } of assignments) {
    for (const { container_number: number } of shipped_order_lines) {
      if (number !== undefined) references.set(number, (references.get(number) ?? new Set()).add(reference))
    }
  }
  return references
}

function renderContainer(container: Container, references: Map<string, Set<string>>): Container {
  const { container_number: number } = container
  const packed = number === undefined ? undefined : references.get(number)
  return packed ? { ...container, purchase_order_references: [...packed] } : container
}

// The interface counts whole units: a 45-foot container takes the slot of a 40-foot one.
export function teusOf(type: ContainerType): number {
  return type.startsWith('twenty_foot') ? 1 : 2
}

export function totalTeus(containers: Container[]): number {
  return containers.reduce((sum, { container_type }) => sum + (container_type ? teusOf(container_type) : 0), 0)
}

function withDefaults(goods: TransportedGoods): TransportedGoods {
  return inInterfaceOrder(TransportedGoods, {
    is_stackable: true,
    is_hazardous: false,
    contains_lithium: false,
    contains_magnets: false,
    needs_controlled_temperature: false,
    ...goods,
  })
}

function distinct(values: string[]): string[] {
  return [...new Set(values)]
}
