import { IconCopy, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { OrderArrivals } from '../../../../src/contract/public/inbound.js'
import type { PurchaseOrder } from '../../../../src/contract/public/purchase-order.js'
import {
  isAssigned,
  orderProgressOf,
  orderStateOf,
  priceOfLines,
  quantitiesOf,
} from '../../../../src/domain/purchase-orders/order-quantities.js'
import { BackLink } from '../../../ui/back-link.js'
import { LateChip } from '../../../ui/badges.js'
import { ButtonLink } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { DayText } from '../../../ui/day-text.js'
import { Notice } from '../../../ui/notice.js'
import { Page } from '../../../ui/page.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { orderArrivalsQuery, orderQuery } from '../../api/queries.js'
import { useMay } from '../../api/session.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { ConversationSection } from '../conversation/conversation-section.js'
import { OpenExceptions } from '../exceptions/open-exceptions.js'
import { ExpectedDay } from '../inbound/expected-day.js'
import { WatchButton } from '../notifications/watch-button.js'
import { CancelOrder } from './cancel-order.js'
import { AssignedNotice } from './order-form-notices.js'
import type { SavedState } from './order-form-page.js'
import { OrderLinesTable } from './order-lines-table.js'
import { OrderStateBadge } from './order-state-badge.js'
import styles from './orders.module.css'
import { QuantityBar } from './quantity-bar.js'

export function OrderPage() {
  const m = useMessages()
  const { reference = '' } = useParams({ strict: false })
  const { data: order, error, refetch } = useQuery(orderQuery(reference))
  const back = <BackLink path={paths.orders()}>{m.nav.orders}</BackLink>
  if (order) return <Order order={order} back={back} />
  return (
    <Page back={back} title={reference} isLoading={!error} {...(!error && { lead: m.common.loading })}>
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={8} />}
    </Page>
  )
}

function Order({ order, back }: { order: PurchaseOrder; back: ReactNode }) {
  const m = useMessages()
  const format = useFormat()
  const mayWrite = useMay('write')
  const lines = order.purchase_order_lines
  const { data: arrivals } = useQuery(orderArrivalsQuery(order.po_number))
  const cancellation = arrivals?.cancellation
  const isLocked = isAssigned(order) || cancellation !== undefined
  return (
    <Page
      back={back}
      title={order.po_number}
      lead={cancellation ? undefined : m.order.sentence(orderProgressOf(lines), (quantity) => format.number(quantity))}
      actions={
        <>
          <WatchButton scope="purchase_order" id={order.po_number} />
          {mayWrite && <Actions order={order} isLocked={isLocked} isCancelled={cancellation !== undefined} />}
        </>
      }
    >
      <SavedNotice />
      {cancellation && (
        <Notice tone="locked" title={m.order.cancelled(format.day(cancellation.cancelled_at))}>
          {cancellation.reason}
        </Notice>
      )}
      {mayWrite && isLocked && !cancellation && <AssignedNotice isQuiet />}
      <OpenExceptions of={{ po_number: order.po_number }} />
      <Facts order={order} arrivals={arrivals} />
      <Section title={m.order.lines} aside={<span className="small soft">{m.orders.lineCount(lines.length)}</span>}>
        <OrderLinesTable lines={lines} arrivals={arrivals} />
      </Section>
      <ConversationSection about={{ po_number: order.po_number }} />
      {order.custom_parameters && order.custom_parameters.length > 0 && (
        <Section title={m.order.parameters}>
          <dl className={styles.facts}>
            {order.custom_parameters.map(({ name, value }, index) => (
              // Names are not unique.
              <div key={`${index} ${name}`}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
    </Page>
  )
}

type ActionsProps = { order: PurchaseOrder; isLocked: boolean; isCancelled: boolean }

function Actions({ order, isLocked, isCancelled }: ActionsProps) {
  const m = useMessages()
  const { po_number: reference, purchase_order_lines: lines } = order
  const { assigned } = quantitiesOf(lines)
  return (
    <>
      <ButtonLink
        variant="default"
        href={paths.newOrder({ from: reference })}
        leftSection={<IconCopy size={16} aria-hidden="true" />}
      >
        {m.order.duplicate}
      </ButtonLink>
      {assigned === 0 && !isCancelled && <CancelOrder reference={reference} />}
      {!isLocked && (
        <ButtonLink href={paths.editOrder(reference)} leftSection={<IconPencil size={16} aria-hidden="true" />}>
          {m.common.edit}
        </ButtonLink>
      )}
    </>
  )
}

/** Shown after saving the form. */
function SavedNotice() {
  const m = useMessages()
  const saved = useRouterState({ select: ({ location }) => (location.state as Partial<SavedState>).savedOrder })
  if (!saved) return null
  return (
    <Notice tone="done" role="status">
      {m.order.saved[saved]}
    </Notice>
  )
}

function Facts({ order, arrivals }: { order: PurchaseOrder; arrivals: OrderArrivals | undefined }) {
  const m = useMessages()
  const format = useFormat()
  const quantities = quantitiesOf(order.purchase_order_lines)
  const costs = priceOfLines(order.purchase_order_lines)
  return (
    <dl className={styles.factsPanel}>
      <div>
        <dt>{m.orders.reference}</dt>
        <dd>
          <Copyable text={order.po_number} />
        </dd>
      </div>
      <div>
        <dt>{m.orders.supplier}</dt>
        <dd>{order.supplier_name || m.common.unknown}</dd>
      </div>
      <div>
        <dt>{m.orders.exFactory}</dt>
        <dd>
          {order.desired_ex_factory_date ? <DayText date={order.desired_ex_factory_date} isStacked /> : m.order.noDate}
        </dd>
      </div>
      <div>
        <dt>{m.orders.delivery}</dt>
        <dd>
          {order.desired_delivery_date ? <DayText date={order.desired_delivery_date} isStacked /> : m.order.noDate}
        </dd>
      </div>
      <div>
        <dt>{m.orders.expected}</dt>
        <dd>
          {arrivals && <ExpectedDay {...arrivals} />}
          <LateChip days={arrivals?.days_late ?? 0} />
        </dd>
      </div>
      {costs.length > 0 && (
        <div>
          <dt>{m.order.value}</dt>
          <dd>{costs.map((price) => format.money(price)).join(' + ')}</dd>
        </div>
      )}
      <div>
        <dt>{m.orders.state}</dt>
        <dd>
          <OrderStateBadge state={orderStateOf(quantities, arrivals?.cancellation !== undefined)} />
          <QuantityBar {...quantities} />
        </dd>
      </div>
    </dl>
  )
}
