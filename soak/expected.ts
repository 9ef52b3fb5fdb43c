/** The expected state of an account, from the acknowledged writes. */

export type Line = { reference: string; quantity: number; assigned: Map<string, number> }

export type Order = {
  reference: string
  token: string
  lines: Line[]
  /** False if its creation got no response. */
  isSure: boolean
  /** A change with unknown outcome: the order is not changed again after it. */
  maybe?: { token: string; lines: Line[] }
}

export type Shipment = {
  id: string
  token: string
  status: string
  containers: number
  orders: Set<string>
  isPlanned: boolean
  events: string[]
  positions: number
  invoice?: Invoice
  /** Whether it was changed since the last comparison. */
  isChanged: boolean
}

export type Invoice = { reference: string; shipment: Shipment; number?: string; status: string; paid: number }

export type StoredDocument = { id: string; name: string; hash: string; size: number; isChanged: boolean }

export type Place = { id: number; token: string }

export type OwnKey = { key_id: string; key: string; isRevoked: boolean }

export type AccountState = {
  slug: string
  key: string
  /** Revisions before the load began. */
  revisionsBefore: number
  orders: Map<string, Order>
  shipments: Map<string, Shipment>
  invoices: Map<string, Invoice>
  documents: Map<string, StoredDocument>
  places: Map<number, Place>
  keys: Map<string, OwnKey>
}

export function emptyState(slug: string, key: string): AccountState {
  return {
    slug,
    key,
    revisionsBefore: 0,
    orders: new Map(),
    shipments: new Map(),
    invoices: new Map(),
    documents: new Map(),
    places: new Map(),
    keys: new Map(),
  }
}

export const price = 100
export const gross = 120

export type Shown = Record<string, unknown>

export type ShownLine = {
  reference: string
  ordered_quantity: number
  assigned_order_lines?: { svc_shipment_id: string; shipment_status: string; assigned_quantity: number }[]
}

/** Describes how the shown order differs; undefined if it does not. */
export function orderDifference(state: AccountState, order: Order, shown: Shown): string | undefined {
  const wanted = [{ token: order.token, lines: order.lines }, ...(order.maybe ? [order.maybe] : [])]
  const found = shownOrder(shown)
  const expected = wanted.map((each) => expectedOrder(state, each))
  return expected.includes(found) ? undefined : `order ${order.reference}: ${found} instead of ${expected.join(' or ')}`
}

function expectedOrder({ shipments }: AccountState, { token, lines }: { token: string; lines: Line[] }): string {
  const shown = lines.map(({ reference, quantity, assigned }) => {
    const onShipments = [...assigned].map(([id, amount]) => `${id} ${shipments.get(id)?.status} ${amount}`)
    return `${reference} ${quantity} [${onShipments.toSorted().join()}]`
  })
  return `${token} ${shown.join('; ')}`
}

function shownOrder(shown: Shown): string {
  const { custom_parameters = [], purchase_order_lines = [] } = shown as {
    custom_parameters?: { value: string }[]
    purchase_order_lines?: ShownLine[]
  }
  const lines = purchase_order_lines.map(({ reference, ordered_quantity, assigned_order_lines = [] }) => {
    const onShipments = assigned_order_lines.map(
      ({ svc_shipment_id, shipment_status, assigned_quantity }) =>
        `${svc_shipment_id} ${shipment_status} ${assigned_quantity}`,
    )
    return `${reference} ${ordered_quantity} [${onShipments.toSorted().join()}]`
  })
  return `${custom_parameters[0]?.value} ${lines.join('; ')}`
}

export function shipmentDifference(shipment: Shipment, shown: Shown): string | undefined {
  const {
    name,
    status,
    cargo,
    purchase_order_references = [],
    invoice_status,
    invoice_references = [],
  } = shown as {
    name: string
    status: string
    cargo?: { total_teus?: number }
    purchase_order_references?: string[]
    invoice_status?: string
    invoice_references?: string[]
  }
  const invoice = shipment.invoice?.number === undefined ? undefined : shipment.invoice
  const found = [
    name,
    status,
    cargo?.total_teus,
    purchase_order_references.toSorted().join(),
    invoice_status,
    invoice_references.join(),
  ]
  const expected = [
    shipment.token,
    shipment.status,
    2 * shipment.containers,
    [...shipment.orders].toSorted().join(),
    invoice?.status ?? 'awaiting_invoice',
    invoice?.number ?? '',
  ]
  return difference(`shipment ${shipment.id}`, expected, found)
}

export function trackingDifference({ id, events, positions }: Shipment, shown: Shown): string | undefined {
  const { tracking_steps = [], ocean_coordinates = [] } = shown as {
    tracking_steps?: { events?: { description: string }[] }[]
    ocean_coordinates?: unknown[]
  }
  const shownEvents = tracking_steps.flatMap((step) => (step.events ?? []).map(({ description }) => description))
  const expected = [events.toSorted().join(), positions]
  return difference(`tracking of ${id}`, expected, [shownEvents.toSorted().join(), ocean_coordinates.length])
}

export function invoiceDifference({ reference, number, status }: Invoice, shown: Shown): string | undefined {
  return difference(`invoice ${reference}`, [number, status], [shown.number, shown.status])
}

export function documentDifference({ id, name, size }: StoredDocument, shown: Shown): string | undefined {
  return difference(`document ${id}`, [name, size], [shown.name, shown.size])
}

export function placeDifference({ id, token }: Place, shown: Shown): string | undefined {
  return difference(`location ${id}`, [token], [shown.name])
}

function difference(what: string, expected: unknown[], found: unknown[]): string | undefined {
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(found)]
  return wanted === got ? undefined : `${what}: ${got} instead of ${wanted}`
}
