import { useQuery } from '@tanstack/react-query'
import type { InboundPage } from '../../../../src/contract/portal/inbound.js'
import type { InboundLine } from '../../../../src/contract/public/inbound.js'
import { groupedBy } from '../../../../src/domain/records/grouping.js'
import { AppLink } from '../../../ui/app-link.js'
import { LateChip } from '../../../ui/badges.js'
import { DayText } from '../../../ui/day-text.js'
import { type PlainColumn, PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { locationsQuery, shipmentFacetsQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { locationLabel } from '../locations/location-label.js'
import { portNamesOf } from '../shipments/port-names.js'
import { ExpectedDay } from './expected-day.js'
import styles from './inbound.module.css'
import { weekOf } from './inbound-search.js'

type Props = { lines: InboundLine[]; weeks: InboundPage['weeks']; isMoved: boolean }

/** The lines, a table for each week; what has no date comes last. */
export function InboundTable({ lines, weeks, isMoved }: Props) {
  const m = useMessages().inbound
  const format = useFormat()
  const columns = useColumns(isMoved)
  const groups = groupedBy(lines, ({ expected_date: date }) => (date === undefined ? undefined : weekOf(date)))
  return [...groups].map(([week, own]) => {
    const sum = weeks.find((each) => each.week === week)
    const title = week === undefined ? m.noDate : m.weekOf(format.day(week))
    return (
      <Section
        key={week ?? ''}
        title={title}
        isBare
        {...(sum && { aside: <span className="small soft">{m.pieces(format.number(sum.quantity), sum.lines)}</span> })}
      >
        <PlainTable
          label={title}
          columns={columns}
          rows={own}
          rowKey={({ reference, line, svc_shipment_id = '' }) => JSON.stringify([reference, line, svc_shipment_id])}
          isFaint={({ quantity }) => quantity === 0}
        />
      </Section>
    )
  })
}

function useColumns(isMoved: boolean): PlainColumn<InboundLine>[] {
  const m = useMessages().inbound
  const format = useFormat()
  const { data: locations = [] } = useQuery(locationsQuery())
  const { data: facets } = useQuery(shipmentFacetsQuery())
  const portName = portNamesOf(facets)
  const nameOf = new Map(locations.map((each) => [String(each.id), locationLabel(each)]))
  return [
    {
      id: 'product',
      header: m.product,
      isName: true,
      cell: ({ sku, name }) => (
        <span className={styles.product}>
          <AppLink href={paths.inbound({ sku })} className="mono">
            {sku}
          </AppLink>
          {name !== undefined && name !== sku && <span className="small soft">{name}</span>}
        </span>
      ),
    },
    {
      id: 'quantity',
      header: m.quantity,
      align: 'right',
      cell: ({ quantity, was }) => (
        <span>
          {format.number(quantity)}
          {isMoved && was && was.quantity !== quantity && (
            <span className={styles.was}> {m.was(format.number(was.quantity))}</span>
          )}
        </span>
      ),
    },
    {
      id: 'order',
      header: m.order,
      cell: ({ reference, line }) => (
        <span>
          <AppLink href={paths.order(reference)}>{reference}</AppLink> <span className="small soft">{line}</span>
        </span>
      ),
    },
    {
      id: 'shipment',
      header: m.shipment,
      cell: ({ svc_shipment_id, shipment_name }) =>
        svc_shipment_id === undefined ? (
          <span className="soft">{m.notAssigned}</span>
        ) : (
          <span className={styles.shipment}>
            <AppLink href={paths.shipment(svc_shipment_id)}>{shipment_name ?? svc_shipment_id}</AppLink>
          </span>
        ),
    },
    {
      id: 'location',
      header: m.location,
      cell: ({ location = '' }) => (
        <span className={styles.location}>{nameOf.get(location) ?? portName(location)}</span>
      ),
    },
    {
      id: 'expected',
      header: m.expected,
      cell: (line) =>
        line.quantity === 0 ? (
          <span className="soft">{m.gone}</span>
        ) : (
          <span className={styles.day}>
            <ExpectedDay {...line} />
            <LateChip days={line.days_late ?? 0} />
          </span>
        ),
    },
    ...(isMoved
      ? [
          {
            id: 'was',
            header: m.wasExpected,
            cell: ({ was }: InboundLine) => (was ? <ExpectedDay {...was} /> : <span className="soft">{m.isNew}</span>),
          },
        ]
      : []),
    {
      id: 'wanted',
      header: m.wanted,
      cell: ({ desired_delivery_date: date }) => date && <DayText date={date} isShort />,
    },
  ]
}
