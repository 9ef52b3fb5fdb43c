import { useQuery } from '@tanstack/react-query'
import type { InboundGroup } from '../../../../src/contract/portal/inbound.js'
import { AppLink } from '../../../ui/app-link.js'
import { type PlainColumn, PlainTable } from '../../../ui/plain-table.js'
import { locationsQuery, shipmentFacetsQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { locationLabel } from '../locations/location-label.js'
import { portNamesOf } from '../shipments/port-names.js'
import styles from './inbound.module.css'
import type { InboundSearch } from './inbound-search.js'

type Props = { group: NonNullable<InboundSearch['group']>; groups: InboundGroup[] }

// More columns than that do not fit; what comes later is in the sum and in the export.
const mostWeeks = 8

/** What arrives of each product, or at each place: the sum, and the quantities of the next weeks. */
export function GroupTable({ group, groups }: Props) {
  const m = useMessages().inbound
  const format = useFormat()
  const { data: locations = [] } = useQuery(locationsQuery())
  const portName = portNamesOf(useQuery(shipmentFacetsQuery()).data)
  const placeName = (key: string) => {
    const own = locations.find(({ id }) => String(id) === key)
    return (own && locationLabel(own)) ?? portName(key)
  }
  const weeks = [...new Set(groups.flatMap((each) => each.weeks.flatMap(({ week }) => week ?? [])))]
  const columns: PlainColumn<InboundGroup>[] = [
    {
      id: 'key',
      header: group === 'sku' ? m.product : m.location,
      isName: true,
      cell: ({ key, name }) =>
        key === undefined ? (
          <span className="soft">{m.noPlace}</span>
        ) : (
          <span className={styles.product}>
            <AppLink
              href={paths.inbound(group === 'sku' ? { sku: key } : { location: key })}
              {...(group === 'sku' && { className: 'mono' })}
            >
              {group === 'sku' ? key : placeName(key)}
            </AppLink>
            {name !== undefined && name !== key && <span className="small soft">{name}</span>}
          </span>
        ),
    },
    { id: 'quantity', header: m.quantity, align: 'right', cell: ({ quantity }) => format.number(quantity) },
    { id: 'late', header: m.late, align: 'right', cell: (each) => shown(each.late_quantity) },
    ...weeks
      .toSorted()
      .slice(0, mostWeeks)
      .map(
        (week): PlainColumn<InboundGroup> => ({
          id: week,
          header: format.day(week),
          align: 'right',
          cell: (each) => shown(each.weeks.find((of) => of.week === week)?.quantity ?? 0),
        }),
      ),
    {
      id: 'undated',
      header: m.noDate,
      align: 'right',
      cell: (each) => shown(each.weeks.find(({ week }) => week === undefined)?.quantity ?? 0),
    },
  ]
  function shown(quantity: number) {
    return quantity === 0 ? '' : format.number(quantity)
  }
  return <PlainTable label={m.groups[group]} columns={columns} rows={groups} rowKey={({ key = '' }) => key} />
}
