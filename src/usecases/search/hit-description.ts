import type { SearchHits } from '../../contract/portal/overview.js'
import type { Document } from '../../contract/public/document.js'
import type { Invoice } from '../../contract/public/invoice.js'
import type { PurchaseOrder } from '../../contract/public/purchase-order.js'
import type { Shipment, ShipmentStatus } from '../../contract/public/shipment.js'
import type { SearchedKind } from '../../store/search/search-tables.js'

export type SearchHit = SearchHits['hits'][number]

/** The title of a hit, and the texts that may have matched: the first one that did becomes its detail. */
type Description = {
  title: string
  identifiers: (string | undefined)[]
  names: (string | undefined)[]
  /** The detail if only the title matched. */
  otherwise: string | undefined
  /** The shipment that it belongs to. */
  shipment?: string | undefined
  /** Nothing of it is under way any more. */
  isOver?: boolean
}

export function describeBody(kind: SearchedKind, body: string): Description {
  return descriptions[kind](body)
}

function isOver(status: ShipmentStatus | undefined): boolean {
  return status === 'finished' || status === 'cancelled'
}

const descriptions: Record<SearchedKind, (body: string) => Description> = {
  shipment(body) {
    const shipment = JSON.parse(body) as Shipment
    const { svc_shipment_id, name, cargo, booking_information: booking, route } = shipment
    const ports = [route?.origin_port_unlocode, route?.destination_port_unlocode].filter((port) => port !== undefined)
    return {
      title: name ?? svc_shipment_id,
      identifiers: [
        ...(cargo?.containers ?? []).map(({ container_number }) => container_number),
        ...(shipment.purchase_order_references ?? []),
        booking?.ocean_booking?.booking_number,
        booking?.master_bill,
        booking?.house_bill,
        ...(shipment.invoice_references ?? []),
        ...(cargo?.containers ?? []).map(({ seal_number }) => seal_number),
        booking?.air_booking?.flight_number,
        booking?.ocean_booking?.voyage,
        svc_shipment_id,
      ],
      names: [booking?.ocean_booking?.vessel, booking?.carrier],
      otherwise: ports.length > 0 ? ports.join(' → ') : svc_shipment_id,
      isOver: isOver(shipment.status),
    }
  },
  purchase_order(body) {
    const { po_number, supplier_name, purchase_order_lines: lines } = JSON.parse(body) as PurchaseOrder
    const assigned = lines.flatMap(({ assigned_order_lines = [] }) => assigned_order_lines)
    return {
      title: po_number,
      identifiers: [...lines.map(({ product }) => product.sku), ...assigned.map((each) => each.svc_shipment_id)],
      names: [supplier_name, ...lines.map(({ product }) => product.name)],
      otherwise: supplier_name,
      isOver: assigned.length > 0 && assigned.every(({ shipment_status }) => isOver(shipment_status)),
    }
  },
  invoice(body) {
    const { reference, number, svc_shipment_id } = JSON.parse(body) as Invoice
    const identifiers = [reference, svc_shipment_id]
    return { title: number ?? reference, identifiers, names: [], otherwise: svc_shipment_id, shipment: svc_shipment_id }
  },
  document(body) {
    // A stored document body has no closing brace: the signed link is appended when it is read.
    const { name, svc_shipment_id } = JSON.parse(`${body}}`) as Omit<Document, 'link'>
    const otherwise = svc_shipment_id
    return { title: name, identifiers: [svc_shipment_id], names: [], otherwise, shipment: svc_shipment_id }
  },
}
