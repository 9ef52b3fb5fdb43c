import type { PortalQuery } from '../../../../src/contract/portal/operations.js'
import { readerOf, withoutBlanks } from '../../../../src/domain/records/query-values.js'

type Found = Omit<NonNullable<PortalQuery<'findInbound'>>, 'skip' | 'take' | 'since'>

/** `since` is a day, from whose beginning changes are listed. */
export type InboundSearch = Found & { since?: string }

const day = /^\d{4}-\d\d-\d\d$/

export function readInboundSearch(raw: Record<string, string>): InboundSearch {
  const { text, oneOf } = readerOf(raw)
  const dayOf = (name: string) => {
    const found = text(name)
    return found !== undefined && day.test(found) && !Number.isNaN(Date.parse(found)) ? found : undefined
  }
  return withoutBlanks<InboundSearch>({
    q: text('q'),
    sku: text('sku', 255),
    reference: text('reference', 255),
    svc_shipment_id: text('svc_shipment_id', 255),
    supplier: text('supplier', 255),
    location: text('location', 255),
    from: dayOf('from'),
    to: dayOf('to'),
    late: oneOf('late', ['true']),
    unassigned: oneOf('unassigned', ['true']),
    delivered: oneOf('delivered', ['true', 'any']),
    since: dayOf('since'),
    sort: oneOf('sort', ['sku', 'order', 'late']),
    group: oneOf('group', ['sku', 'location']),
  })
}

export const blankInboundSearch = {
  q: undefined,
  sku: undefined,
  reference: undefined,
  svc_shipment_id: undefined,
  supplier: undefined,
  location: undefined,
  from: undefined,
  to: undefined,
  late: undefined,
  unassigned: undefined,
  delivered: undefined,
  since: undefined,
  sort: undefined,
  group: undefined,
} satisfies { [Name in keyof Required<InboundSearch>]: undefined }

/** The query of the server: the day begins at midnight of the reader. */
export function inboundFilterOf({ since, ...search }: InboundSearch) {
  return { ...search, ...(since !== undefined && { since: new Date(`${since}T00:00:00`).toISOString() }) }
}

/** The Monday of a day's week. */
export function weekOf(date: string): string {
  const monday = new Date(`${date}T00:00:00Z`)
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  return monday.toISOString().slice(0, 10)
}
