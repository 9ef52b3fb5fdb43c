import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { lateDays } from '../../../../src/domain/shipments/lateness.js'
import { LateChip, ModeIcon, ShipmentStatusBadge } from '../../../ui/badges.js'
import { Copyable } from '../../../ui/copyable.js'
import type { Column } from '../../../ui/data-table.js'
import { DayText } from '../../../ui/day-text.js'
import { JourneyStrip } from '../../../ui/journey-strip.js'
import { type Format, useFormat } from '../../i18n/format.js'
import type { Messages } from '../../i18n/messages.js'
import type { PortNames } from './port-names.js'
import styles from './shipments.module.css'

/** By importance: where not all fit, the last ones are hidden first. */
export function shipmentColumns(messages: Messages, f: Format, names: PortNames): Column<Shipment>[] {
  const m = messages.shipments.columns
  return [
    {
      id: 'name',
      header: m.name,
      sort: 'name',
      width: 240,
      grow: true,
      always: true,
      cell: (shipment) => <Name shipment={shipment} />,
    },
    {
      id: 'journey',
      header: m.journey,
      width: 128,
      cell: (shipment) => <JourneyStrip shipment={shipment} names={names} size="small" />,
    },
    {
      id: 'status',
      header: m.status,
      width: 160,
      cell: ({ status }) => status && <ShipmentStatusBadge status={status} />,
    },
    {
      id: 'arrival',
      header: m.arrival,
      sort: 'arrival',
      width: 188,
      cell: ({ main_tracking_dates: dates }) => dates?.arrival_date && <DayText {...dates.arrival_date} />,
    },
    {
      id: 'late',
      header: m.late,
      sort: 'late',
      firstOrder: 'desc',
      width: 136,
      cell: (shipment) => <Late shipment={shipment} />,
    },
    { id: 'route', header: m.route, width: 200, cell: (shipment) => <RouteText shipment={shipment} names={names} /> },
    {
      id: 'departure',
      header: m.departure,
      sort: 'departure',
      width: 116,
      cell: ({ main_tracking_dates: dates }) => dates?.departure_date && <DayText {...dates.departure_date} isShort />,
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
      id: 'orders',
      header: m.orders,
      width: 168,
      cell: ({ purchase_order_references = [] }) => <Numbers numbers={purchase_order_references} />,
    },
    {
      id: 'delivery',
      header: m.delivery,
      sort: 'delivery',
      width: 188,
      cell: ({ main_tracking_dates: dates }) => dates?.delivery_date && <DayText {...dates.delivery_date} />,
    },
    {
      id: 'desired',
      header: m.desired,
      width: 120,
      cell: ({ desired_delivery_date }) => desired_delivery_date && f.day(desired_delivery_date),
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
      width: 104,
      cell: ({ created_at }) => created_at && f.day(created_at),
    },
  ]
}

function Name({ shipment: { name, svc_shipment_id } }: { shipment: Shipment }) {
  return (
    <span className={styles.name} title={name}>
      <span className="strong clipped">{name ?? svc_shipment_id}</span>
      {name !== undefined && <span className="mono soft clipped">{svc_shipment_id}</span>}
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
