import { Big } from 'big.js'
import type { InboundPage } from '../../contract/portal/inbound.js'
import type { InboundLine } from '../../contract/public/inbound.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { spreadsheetFile } from '../../spreadsheet/spreadsheet-file.js'
import { type InboundFilter, listInbound, sumInboundByGroup, sumInboundByWeek } from '../../store/inbound-list.js'
import type { PortalHandler } from '../portal-context.js'
import { type Column, dayCell, skippingSheet } from '../search/list-sheet.js'
import { inboundCriteriaOf } from './list-inbound.js'

/** What arrives when, with sums by week of all that matches. */
export const findInbound: PortalHandler<'findInbound'> = async ({ db, account, today }, { query }) => {
  const { skip = 0, take = 100, group, ...search } = query
  const filter = await inboundCriteriaOf(db, account, search)
  const [lines, weeks, groups] = await Promise.all([
    listInbound(db, account, filter, { skip, take, today }),
    sumInboundByWeek(db, account, filter, today),
    group && readGroups(db, account, filter, { group, today }),
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
    ...(groups && { groups }),
  }
}

type Group = NonNullable<InboundPage['groups']>[number]

const mostGroups = 1000

async function readGroups(
  db: Reader,
  account: AccountId,
  filter: InboundFilter,
  { group, today }: { group: 'sku' | 'location'; today: string },
): Promise<Group[]> {
  const rows = await sumInboundByGroup(db, account, filter, { group, today, most: mostGroups })
  return [...groupedBy(rows, ({ key }) => key)].map(([key, weeks]) => {
    const sum = (name: 'quantity' | 'late_quantity' | 'lines') =>
      weeks.reduce((total, week) => total.plus(week[name]), new Big(0)).toNumber()
    const name = weeks.find((week) => week.name !== null)?.name
    return {
      ...(key !== null && { key }),
      ...(typeof name === 'string' && { name }),
      quantity: sum('quantity'),
      late_quantity: sum('late_quantity'),
      lines: sum('lines'),
      weeks: weeks.map(({ week, quantity, late_quantity, lines }) => ({
        ...(week !== null && { week }),
        quantity,
        late_quantity,
        lines,
      })),
    }
  })
}

type GroupRow = Group & { of: Group['weeks'][number] }

const groupColumns: Record<'sku' | 'location', Column<GroupRow>[]> = {
  sku: [
    { en: 'SKU', fr: 'Article', of: ({ key }) => key },
    { en: 'Product', fr: 'Produit', of: ({ name }) => name },
  ],
  location: [{ en: 'Location', fr: 'Lieu', of: ({ key }) => key }],
}
const sumColumns: Column<GroupRow>[] = [
  { en: 'Week of', fr: 'Semaine du', of: ({ of }) => dayCell(of.week) },
  { en: 'Quantity', fr: 'Quantité', of: ({ of }) => of.quantity },
  { en: 'Late', fr: 'En retard', of: ({ of }) => of.late_quantity },
  { en: 'Lines', fr: 'Lignes', of: ({ of }) => of.lines },
]

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
  const { format, group, ...search } = query
  const filter = await inboundCriteriaOf(db, account, search)
  if (group) {
    const groups = await readGroups(db, account, filter, { group, today })
    const sheet = await skippingSheet<Group, GroupRow>(
      {
        name: { en: 'Inbound', fr: 'Arrivages' },
        fileName: `inbound-by-${group}-${today}`,
        language: person.language,
        columns: [...groupColumns[group], ...sumColumns],
        rowsOf: (each) => each.weeks.map((of) => ({ ...each, of })),
        read: async ({ skip, take }) => groups.slice(skip, skip + take),
      },
      pageLength,
    )
    return spreadsheetFile(format, sheet)
  }
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
