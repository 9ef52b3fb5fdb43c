import { IconClockExclamation, IconPlane, IconShip, IconTrain, IconTruck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { InvoiceStatus } from '../../src/contract/public/invoice.js'
import type { Shipment, ShipmentStatus } from '../../src/contract/public/shipment.js'
import { useMessages } from '../portal/i18n/messages.js'
import styles from './badges.module.css'

/** Colour is always combined with a word or a shape. */

export type Tone = 'accent' | 'late' | 'problem' | 'done' | 'planned'
export type Mark = 'hollow' | 'half' | 'full' | 'crossed'

const shipmentLooks: Record<ShipmentStatus, [Tone, Mark]> = {
  draft: ['planned', 'hollow'],
  booking_request: ['planned', 'hollow'],
  awaiting_booking: ['planned', 'half'],
  booked: ['accent', 'hollow'],
  in_progress: ['accent', 'half'],
  finished: ['done', 'full'],
  cancelled: ['planned', 'crossed'],
}

const invoiceLooks: Record<InvoiceStatus, [Tone, Mark]> = {
  new: ['accent', 'hollow'],
  available: ['accent', 'hollow'],
  due: ['late', 'half'],
  partially_paid: ['late', 'half'],
  paid: ['done', 'full'],
  in_modification: ['planned', 'half'],
  litigious: ['problem', 'half'],
  write_off: ['planned', 'crossed'],
}

export function StatusBadge({ tone, mark, children }: { tone: Tone; mark?: Mark; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {mark && <MarkShape mark={mark} />}
      {children}
    </span>
  )
}

export function ShipmentStatusBadge({ status }: { status: ShipmentStatus | undefined }) {
  const { statuses } = useMessages()
  if (status === undefined) return null
  const [tone, mark] = shipmentLooks[status]
  return (
    <StatusBadge tone={tone} mark={mark}>
      {statuses.shipment[status]}
    </StatusBadge>
  )
}

export function InvoiceStatusBadge({ status }: { status: InvoiceStatus | undefined }) {
  const { statuses } = useMessages()
  if (status === undefined) return null
  const [tone, mark] = invoiceLooks[status]
  return (
    <StatusBadge tone={tone} mark={mark}>
      {statuses.invoice[status]}
    </StatusBadge>
  )
}

export function LateChip({ days }: { days: number }) {
  const { statuses } = useMessages()
  if (days <= 0) return null
  return (
    <span className={styles.badge} data-tone="late">
      <IconClockExclamation size={13} aria-hidden="true" />
      {statuses.late(days)}
    </span>
  )
}

const modeIcons = { air: IconPlane, ocean: IconShip, rail: IconTrain, truck: IconTruck }

export function ModeIcon({ mode, size = 18 }: { mode: Shipment['freight_mode']; size?: number }) {
  const { statuses } = useMessages()
  if (mode === undefined) return null
  const Icon = modeIcons[mode]
  return (
    <span className={styles.mode} title={statuses.mode[mode]}>
      <Icon size={size} stroke={1.6} aria-hidden="true" />
      <span className="visually-hidden">{statuses.mode[mode]}</span>
    </span>
  )
}

function MarkShape({ mark }: { mark: Mark }) {
  return (
    <svg viewBox="0 0 10 10" width="9" height="9" aria-hidden="true">
      <circle
        cx="5"
        cy="5"
        r="4"
        fill={mark === 'full' ? 'currentcolor' : 'none'}
        stroke="currentcolor"
        strokeWidth="1.6"
      />
      {mark === 'half' && <path d="M5 1a4 4 0 0 1 0 8z" fill="currentcolor" />}
      {mark === 'crossed' && <path d="M2.2 7.8 7.8 2.2" stroke="currentcolor" strokeWidth="1.6" />}
    </svg>
  )
}
