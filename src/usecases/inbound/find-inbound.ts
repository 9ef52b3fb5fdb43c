import type { InboundLine } from '../../contract/public/inbound.js'
import { spreadsheetFile } from '../../spreadsheet/spreadsheet-file.js'
import { listInbound, sumInboundByWeek } from '../../store/inbound-list.js'
import type { PortalHandler } from '../portal-context.js'
import { type Column, dayCell, skippingSheet } from '../search/list-sheet.js'
import { filterOf } from './list-inbound.js'

/** What arrives when, with sums by week of all that matches. */
export const findInbound: PortalHandler<'findInbound'> = async ({ db, account, today }, { query }) => {
  const { skip = 0, take = 100, ...search } = query
  const filter = await filterOf(db, account, search)
  const [lines, weeks] = await Promise.all([
    listInbound(db, account, filter, { skip, take, today }),
    sumInboundByWeek(db, account, filter, today),
  ])
  const sum = (name: 'lines' | 'late' | 'unassigned') => weeks.reduce((total, week) => total + week[name], 0)
  return {
    lines,
    count: sum('lines'),
    late: sum('late'),
    unassigned: sum('unassigned'),
    weeks: weeks.map(({ week, quantity, late_quantity, lines: count }) => ({
      ...(week !== null && { week }),
      quantity,
      late_quantity,
      lines: count,
    })),
  }
}

const columns: Column<InboundLine>[] = [
  { en: 'SKU', fr: 'Article', of: ({ sku }) => sku },
  { en: 'Product', fr: 'Produit', of: ({ name }) => name },
  { en: 'Quantity', fr: 'Quantité', of: ({ quantity }) => quantity },
  { en: 'Packed', fr: 'Emballé', of: ({ shipped_quantity }) => shipped_quantity },
  { en: 'Order', fr: 'Commande', of: ({ reference }) => reference },
  { en: 'Line', fr: 'Ligne', of: ({ line }) => line },
  { en: 'Supplier', fr: 'Fournisseur', of: ({ supplier_name }) => supplier_name },
  { en: 'Shipment', fr: 'Expédition', of: ({ svc_shipment_id }) => svc_shipment_id },
  { en: 'Location', fr: 'Lieu', of: ({ location }) => location },
  { en: 'Expected', fr: 'Attendu', of: ({ expected_date }) => dayCell(expected_date) },
  { en: 'Expected: kind', fr: 'Attendu : nature', of: ({ date_status }) => date_status },
  { en: 'Wanted by', fr: 'Souhaité pour', of: ({ desired_delivery_date }) => dayCell(desired_delivery_date) },
  { en: 'Days late', fr: 'Jours de retard', of: ({ days_late = 0 }) => (days_late > 0 ? days_late : undefined) },
  { en: 'Was expected', fr: 'Était attendu', of: ({ was }) => dayCell(was?.expected_date) },
  { en: 'Quantity was', fr: 'Quantité précédente', of: ({ was }) => was?.quantity },
]

// Read in pages: a request holds up no others.
const pageLength = 1000

/** All that matches as a spreadsheet, in the order of the list. */
export const exportInbound: PortalHandler<'exportInbound'> = async ({ db, account, person, today }, { query }) => {
  const { format, ...search } = query
  const filter = await filterOf(db, account, search)
  const sheet = await skippingSheet<InboundLine, InboundLine>(
    {
      name: { en: 'Inbound', fr: 'Arrivages' },
      fileName: `inbound-${today}`,
      language: person.language,
      columns,
      rowsOf: (line) => [line],
      read: (page) => listInbound(db, account, filter, { ...page, today }),
    },
    pageLength,
  )
  return spreadsheetFile(format, sheet)
}
