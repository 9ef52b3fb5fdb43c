import type { MainTrackingDates, Shipment } from '../../../../src/contract/public/shipment.js'
import { lateDays } from '../../../../src/domain/shipments/lateness.js'
import type { ShipmentTab } from '../../../../src/domain/shipments/shipment-view.js'
import { LateChip, ModeIcon, ShipmentStatusBadge } from '../../../ui/badges.js'
import { Copyable } from '../../../ui/copyable.js'
import type { Column } from '../../../ui/data-table.js'
import { DayText } from '../../../ui/day-text.js'
import { JourneyStrip } from '../../../ui/journey-strip.js'
import { type Format, useFormat } from '../../i18n/format.js'
import { type Messages, useMessages } from '../../i18n/messages.js'
import type { PortNames } from './port-names.js'
import { problemMilestone } from './problem-milestone.js'
import styles from './shipments.module.css'
import { tabColumns } from './tab-columns.js'

export type ListedShipment = Shipment & {
  /** By customs or the carrier. */
  isHeld?: boolean
}

export function shipmentColumns(
  tab: ShipmentTab,
  messages: Messages,
  f: Format,
  names: PortNames,
): Column<ListedShipment>[] {
  const shown: string[] = tabColumns[tab]
  return everyColumn(messages, f, names)
    .filter(({ id }) => shown.includes(id))
    .map((column) => ({ ...column, rank: shown.indexOf(column.id) }))
}

/** In the order of the table. */
function everyColumn(messages: Messages, f: Format, names: PortNames): Column<ListedShipment>[] {
  const m = messages.shipments.columns
  return [
    {
      id: 'name',
      header: m.name,
      sort: 'name',
      width: 172,
      grow: true,
      always: true,
      cell: (shipment) => <Name shipment={shipment} names={names} />,
    },
    { id: 'route', header: m.route, width: 204, cell: (shipment) => <RouteCell shipment={shipment} names={names} /> },
    {
      id: 'journey',
      header: m.journey,
      width: 132,
      cell: (shipment) => <JourneyStrip shipment={shipment} names={names} size="small" />,
    },
    {
      id: 'arrival',
      header: m.arrival,
      sort: 'arrival',
      width: 164,
      cell: (shipment) => <DateCell shipment={shipment} milestone="arrival_date" />,
    },
    {
      id: 'delivery',
      header: m.delivery,
      sort: 'delivery',
      firstOrder: 'desc',
      width: 164,
      cell: (shipment) => <DateCell shipment={shipment} milestone="delivery_date" />,
    },
    {
      id: 'desired',
      header: m.desired,
      width: 120,
      cell: ({ desired_delivery_date }) => desired_delivery_date && f.day(desired_delivery_date),
    },
    {
      id: 'late',
      header: m.late,
      sort: 'late',
      firstOrder: 'desc',
      width: 124,
      cell: (shipment) => <Late shipment={shipment} />,
    },
    {
      id: 'orders',
      header: m.orders,
      width: 144,
      cell: ({ purchase_order_references = [] }) => <Numbers numbers={purchase_order_references} />,
    },
    {
      id: 'status',
      header: m.status,
      width: 156,
      cell: ({ status }) => status && <ShipmentStatusBadge status={status} />,
    },
    {
      id: 'departure',
      header: m.departure,
      sort: 'departure',
      width: 164,
      cell: (shipment) => <DateCell shipment={shipment} milestone="departure_date" />,
    },
    {
      id: 'ready',
      header: m.ready,
      width: 120,
      cell: ({ cargo_ready_date }) => cargo_ready_date && f.day(cargo_ready_date),
    },
    {
      id: 'containers',
      header: m.containers,
      width: 176,
      cell: ({ cargo }) => (
        <Numbers numbers={(cargo?.containers ?? []).flatMap((each) => each.container_number ?? [])} />
      ),
    },
    {
      id: 'vessel',
      header: m.vessel,
      width: 168,
      cell: ({ booking_information }) => booking_information?.ocean_booking?.vessel,
    },
    { id: 'carrier', header: m.carrier, width: 136, cell: ({ booking_information }) => booking_information?.carrier },
    {
      id: 'weight',
      header: m.weight,
      align: 'right',
      width: 104,
      cell: ({ cargo }) => cargo?.total_weight && f.weight(cargo.total_weight),
    },
    {
      id: 'created',
      header: m.created,
      sort: 'newest',
      firstOrder: 'desc',
      width: 120,
      cell: ({ created_at }) => created_at && f.day(created_at),
    },
  ]
}

type DateProps = { shipment: ListedShipment; milestone: keyof MainTrackingDates }

/** A date with its status, and with a hold or a problem before it. */
export function DateCell({ shipment, milestone }: DateProps) {
  const { shipments, shipment: m } = useMessages()
  const date = shipment.main_tracking_dates?.[milestone]
  const problem = problemMilestone(shipment)
  if (!date) return null
  const hold = shipment.isHeld ? shipments.held : problem && shipments.problem(m.why.milestones[problem])
  return <DayText {...date} isStacked hold={date.status === 'actual' ? undefined : hold} />
}

function Name({ shipment, names }: { shipment: Shipment; names: PortNames }) {
  const { name, svc_shipment_id } = shipment
  return (
    <span className={styles.name} title={name}>
      <span className="strong clipped">{goodsOf(shipment, names)}</span>
      {name !== undefined && <span className="mono soft clipped">{svc_shipment_id}</span>}
    </span>
  )
}

/** The name of a shipment, without the route if it ends with it: the route has a place of its own. */
export function goodsOf({ name, svc_shipment_id, route }: Shipment, names: PortNames): string {
  if (name === undefined) return svc_shipment_id
  const [from, to] = [route?.origin_port_unlocode, route?.destination_port_unlocode]
  if (from === undefined || to === undefined) return name
  const ending = [' – ', ' - ', ' → ']
    .map((between) => `, ${names(from)}${between}${names(to)}`)
    .find((text) => name.endsWith(text) && name.length > text.length)
  return ending === undefined ? name : name.slice(0, -ending.length)
}

/** A line for each end, so that both names have room. With the vessel or the carrier on hover. */
function RouteCell({ shipment, names }: { shipment: Shipment; names: PortNames }) {
  const { booking_information: booking, freight_mode, route } = shipment
  const by = booking?.ocean_booking?.vessel ?? booking?.air_booking?.flight_number ?? booking?.carrier
  const [from, to] = [route?.origin_port_unlocode, route?.destination_port_unlocode].map((code) =>
    code === undefined ? '–' : names(code),
  )
  return (
    <span className={styles.route} title={[`${from} → ${to}`, by].filter(Boolean).join(', ')}>
      {freight_mode && <ModeIcon mode={freight_mode} />}
      <span className={styles.name}>
        <span className="clipped">{from}</span>
        <span className="clipped">→ {to}</span>
      </span>
    </span>
  )
}

export function RouteText({ shipment, names }: { shipment: Shipment; names: PortNames }) {
  const { freight_mode, route } = shipment
  const [from, to] = [route?.origin_port_unlocode, route?.destination_port_unlocode]
  return (
    <span className={styles.route}>
      {freight_mode && <ModeIcon mode={freight_mode} />}
      <span className="clipped">{[from, to].map((code) => (code === undefined ? '–' : names(code))).join(' → ')}</span>
    </span>
  )
}

export function Late({ shipment }: { shipment: Shipment }) {
  const days = lateDays(shipment, useFormat().today())
  return <LateChip days={days ?? 0} />
}

/** The first of several numbers, and how many more there are. */
function Numbers({ numbers }: { numbers: string[] }) {
  const [first, ...others] = numbers
  if (first === undefined) return null
  return (
    <span className={styles.numbers}>
      <Copyable text={first} />
      {others.length > 0 && (
        <span className="soft small" title={others.join('\n')}>
          +{others.length}
        </span>
      )}
    </span>
  )
}
