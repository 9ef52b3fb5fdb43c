import { IconAlertTriangle, IconCheck, IconInfoCircle, IconUrgent } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ExceptionPage } from '../../../../src/contract/portal/exceptions.js'
import type { Exception, Severity } from '../../../../src/contract/public/exception.js'
import { reasonText } from '../../../../src/domain/exceptions/reason-text.js'
import { AppLink } from '../../../ui/app-link.js'
import { StatusBadge, type Tone } from '../../../ui/badges.js'
import { Copyable } from '../../../ui/copyable.js'
import { DayText } from '../../../ui/day-text.js'
import { MomentText } from '../../../ui/moment-text.js'
import { useFormat } from '../../i18n/format.js'
import { type Messages, useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './exceptions.module.css'
import { Threatened } from './threatened.js'

const looks: Record<Severity, [Tone, typeof IconUrgent]> = {
  critical: ['problem', IconUrgent],
  warning: ['late', IconAlertTriangle],
  info: ['planned', IconInfoCircle],
}

export type ListedException = ExceptionPage['exceptions'][number]

type Props = {
  item: ListedException
  /** Before it: the checkbox of a list. */
  before?: ReactNode
  /** What can be done with it. */
  actions?: ReactNode
  /** In a section of another page. */
  isInSection?: boolean
  /** The page is that of its subject, which needs no link. */
  isOfPage?: boolean
  isSelected?: boolean
}

/** One exception: what is wrong, why, since when, and the orders that it threatens. */
export function ExceptionItem(props: Props) {
  const { item, before, actions, isInSection = false, isOfPage = false, isSelected = false } = props
  const messages = useMessages()
  const m = messages.exceptions
  const f = useFormat()
  const { exception } = item
  const { exception_id, kind, severity, state, since, episode, container_number } = exception
  const [tone, Icon] = looks[severity]
  const isOver = state === 'closed'
  const Heading = isInSection ? 'h3' : 'h2'
  return (
    <li
      className={styles.item}
      data-exception={exception_id}
      data-selected={isSelected || undefined}
      data-bare={before === undefined || undefined}
    >
      {before !== undefined && <div className={styles.tick}>{before}</div>}
      <div className={styles.what}>
        <div className={styles.kind}>
          <StatusBadge tone={isOver ? 'planned' : tone}>
            <Icon size={13} aria-hidden="true" />
            {m.severities[severity]}
          </StatusBadge>
          <Heading>{m.kinds[kind]}</Heading>
          {container_number !== undefined && <Copyable text={container_number} />}
          {episode > 1 && <span className="small soft">{m.episode(episode)}</span>}
        </div>
        <p className={styles.reason}>{reasonText({ ...exception, place_name: item.place_name }, m.reasons, f)}</p>
        <p className={`small soft ${styles.about}`}>
          {!isOfPage && <Subject item={item} />}
          <span>
            {m.since} <DayText date={since} />
          </span>
          {item.owner !== undefined && <span>{m.owner(item.owner)}</span>}
        </p>
        <Handled item={item} />
      </div>
      <div className={styles.orders}>
        <Threatened exception={exception} />
      </div>
      <div className={styles.actions}>{actions}</div>
    </li>
  )
}

/** What it is about; the link that keys move between. */
function Subject({ item: { exception, shipment_name } }: { item: ListedException }) {
  const { svc_shipment_id, po_number, invoice_reference } = exception
  if (svc_shipment_id !== undefined && invoice_reference === undefined) {
    return (
      <AppLink href={paths.shipment(svc_shipment_id)} data-subject>
        {shipment_name ?? svc_shipment_id}
      </AppLink>
    )
  }
  if (invoice_reference !== undefined) {
    return (
      <AppLink href={paths.invoice(invoice_reference)} data-subject>
        {invoice_reference}
      </AppLink>
    )
  }
  if (po_number === undefined) return null
  return (
    <AppLink href={paths.order(po_number)} data-subject>
      {po_number}
    </AppLink>
  )
}

/** Who acknowledged it, with which note, and how it ended. */
function Handled({ item }: { item: ListedException }) {
  const { exceptions: m, common } = useMessages()
  const { acknowledged, closed } = item.exception
  if (!acknowledged && !closed) return null
  return (
    <div className={`small ${styles.handled}`}>
      {acknowledged && (
        <p>
          <IconCheck size={14} aria-hidden="true" />{' '}
          {m.acknowledged(item.acknowledged_by ?? actorName(acknowledged.by, m))},{' '}
          <MomentText at={acknowledged.at} look="ago" />
        </p>
      )}
      {acknowledged?.note !== undefined && <p className={styles.note}>{acknowledged.note}</p>}
      {closed && (
        <p>
          {m.closings[closed.how]}, <MomentText at={closed.at} look="ago" />
          {closed.reason !== undefined && closed.reason !== acknowledged?.note && `${common.colon}${closed.reason}`}
        </p>
      )}
    </div>
  )
}

function actorName(by: string, m: Messages['exceptions']): string {
  if (by.startsWith('key:')) return m.anApiKey
  return by.startsWith('person:') ? m.removedPerson : m.yourForwarder
}

/** Accepting the dates of a slip, or an order at risk, closes it. */
export function acknowledgeText(kind: Exception['kind'], m: Messages['exceptions']): string {
  if (kind === 'eta_slip') return m.acceptDate
  return kind === 'order_at_risk' ? m.accept : m.acknowledge
}
