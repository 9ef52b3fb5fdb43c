import type { ReactNode } from 'react'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Facts } from '../../../portal/pages/shipment/facts.js'
import { ButtonLink } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { DayText } from '../../../ui/day-text.js'
import { MoneyText } from '../../../ui/money-text.js'
import actionStyles from '../../actions/actions.module.css'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { useItemTexts } from './item-texts.js'
import { SubjectLink } from './subject-link.js'
import styles from './work.module.css'
import type { ItemOf } from './work-item.js'

/** What waits for a decision that is made on a page of its own, to which these lead. */

export function OrderPanel({ item }: { item: ItemOf<'order'> }) {
  const { work: m } = useOfficeMessages()
  const { account, account_name, reference, lines } = item.order
  return (
    <>
      <p className={styles.sentence}>{useItemTexts()(item).title}</p>
      <Facts
        facts={[
          [m.account, account_name],
          [m.order, <Copyable key="number" text={reference} />],
          [m.due, item.due && <DayText key="due" date={item.due} />],
        ]}
      />
      <ul className={styles.notes}>
        {lines.map(({ line, sku, name, open_quantity, ordered_quantity }) => (
          <li key={line}>
            {name ?? sku} <span className="soft">{m.openOf(open_quantity, ordered_quantity)}</span>
          </li>
        ))}
      </ul>
      <div className={actionStyles.actions}>
        <ButtonLink size="xs" href={paths.bookings({ account, q: reference })}>
          {m.book}
        </ButtonLink>
        <SubjectLink item={item} />
      </div>
    </>
  )
}

export function RequestPanel({ item }: { item: ItemOf<'request'> }) {
  const { work: m } = useOfficeMessages()
  const { account_name, shipment } = item.request
  const { svc_shipment_id } = shipment
  return (
    <>
      <p className={styles.sentence}>{useItemTexts()(item).title}</p>
      <Facts
        facts={[
          [m.account, account_name],
          [m.shipment, <Copyable key="number" text={svc_shipment_id} />],
          [m.due, item.due && <DayText key="due" date={item.due} />],
        ]}
      />
      <div className={actionStyles.actions}>
        <SubjectLink item={item} />
      </div>
    </>
  )
}

export function DisputePanel({ item }: { item: ItemOf<'dispute'> }) {
  const { work: m } = useOfficeMessages()
  const { account_name, reference, number, svc_shipment_id, outstanding } = item.invoice
  return (
    <>
      <p className={styles.sentence}>{useItemTexts()(item).title}</p>
      <Facts
        facts={[
          [m.account, account_name],
          [m.invoice, <Copyable key="number" text={number ?? reference} />],
          [m.shipment, svc_shipment_id && <Copyable key="shipment" text={svc_shipment_id} />],
          [m.outstanding, outstanding.map((price) => <MoneyText key={price.currency} price={price} />)],
          [m.due, item.due && <DayText key="due" date={item.due} />],
        ]}
      />
      <div className={actionStyles.actions}>
        <SubjectLink item={item} />
      </div>
    </>
  )
}

export function NeededPanel({ item }: { item: ItemOf<'needed'> }) {
  const { work: m } = useOfficeMessages()
  const { proposals } = useMessages()
  const { account_name, svc_shipment_id, name, documents } = item.needed
  return (
    <>
      <p className={styles.sentence}>{useItemTexts()(item).title}</p>
      <Facts
        facts={[
          [m.account, account_name],
          [m.shipment, <Copyable key="number" text={svc_shipment_id} />],
          [m.shipmentName, name],
          ...documents.map(({ type, required_since }): [string, ReactNode] => [
            proposals.required[type],
            <DayText key={type} date={required_since} />,
          ]),
        ]}
      />
      <div className={actionStyles.actions}>
        <SubjectLink item={item} />
      </div>
    </>
  )
}
