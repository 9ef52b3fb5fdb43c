import type { Document } from '../contract/document.js'
import type { Invoice } from '../contract/invoice.js'
import type { SearchHits } from '../contract/portal/overview.js'
import type { PurchaseOrder } from '../contract/purchase-order.js'
import type { Shipment } from '../contract/shipment.js'
import { findHits, type Hit, wholeOf } from '../storage/search/hits.js'
import type { SearchedKind } from '../storage/search/searched.js'
import { type Sought, soughtIn, wordsIn, wordsOf } from '../storage/search/words.js'
import type { PortalHandlers } from './handlers.js'

type SearchHit = SearchHits['hits'][number]

export const searchHandlers: PortalHandlers<'search'> = {
  async search({ db, account }, { query: { q, take = 5 } }) {
    const sought = soughtIn(q)
    if (!sought) return { hits: [] }
    const described = (await findHits(db, account, q, take)).map((hit) => describe(hit, sought))
    // Who types a number in full means what has it, of whichever kind.
    return { hits: described.toSorted((one, other) => one.rank - other.rank).map(({ hit }) => hit) }
  },
}

/** What a thing is called, and by what else somebody may know it: the first that was typed is told. */
type Description = {
  title: string
  identifiers: (string | undefined)[]
  names: (string | undefined)[]
  otherwise: string | undefined
  /** Where it belongs to one. */
  shipment?: string | undefined
}

function describe({ kind, id, body }: Hit, sought: Sought): { hit: SearchHit; rank: number } {
  const { title, identifiers, names, otherwise, shipment } = descriptions[kind](body)
  const isExact = (text: string | undefined) => text !== undefined && wordsIn(text).join('') === wholeOf(sought)
  const known = [...identifiers, ...names].flatMap((text) => text ?? [])
  const detail = known.find((text) => text !== title && isTyped(text, sought)) ?? otherwise
  return {
    hit: {
      kind,
      id,
      title,
      ...(detail !== undefined && { detail }),
      ...(shipment !== undefined && { svc_shipment_id: shipment }),
    },
    // Its own number, one that it has, or only the beginning of something.
    rank: isExact(id) || isExact(title) ? 0 : identifiers.some(isExact) ? 1 : 2,
  }
}

function isTyped(text: string, { words, whole }: Sought): boolean {
  const own = wordsOf({ identifiers: [text], names: [] })
  return [...words, ...(whole === undefined ? [] : [whole])].some((word) => own.some((each) => each.startsWith(word)))
}

const descriptions: Record<SearchedKind, (body: string) => Description> = {
  shipment(body) {
    const shipment = JSON.parse(body) as Shipment
    const { svc_shipment_id, name, cargo, booking_information: booking, route } = shipment
    const way = [route?.origin_port_unlocode, route?.destination_port_unlocode].filter((port) => port !== undefined)
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
      otherwise: way.length > 0 ? way.join(' → ') : svc_shipment_id,
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
    }
  },
  invoice(body) {
    const { reference, number, svc_shipment_id } = JSON.parse(body) as Invoice
    const identifiers = [reference, svc_shipment_id]
    return { title: number ?? reference, identifiers, names: [], otherwise: svc_shipment_id, shipment: svc_shipment_id }
  },
  document(body) {
    // It is still open at its end, where the link would be.
    const { name, svc_shipment_id } = JSON.parse(`${body}}`) as Omit<Document, 'link'>
    const otherwise = svc_shipment_id
    return { title: name, identifiers: [svc_shipment_id], names: [], otherwise, shipment: svc_shipment_id }
  },
}
