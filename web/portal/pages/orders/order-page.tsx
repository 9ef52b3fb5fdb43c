import { IconCopy, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PurchaseOrder } from '../../../../src/contract/public/purchase-order.js'
import { isAssigned, orderProgressOf, quantitiesOf } from '../../../../src/domain/purchase-orders/order-quantities.js'
import { BackLink } from '../../../ui/back-link.js'
import { ButtonLink } from '../../../ui/button.js'
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
import { WatchButton } from '../notifications/watch-button.js'
import { CancelOrder } from './cancel-order.js'
import { OrderFacts, OrderParameters } from './order-facts.js'
import { AssignedNotice } from './order-form-notices.js'
import type { SavedState } from './order-form-page.js'
import { OrderLinesTable } from './order-lines-table.js'

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
      <OrderFacts order={order} arrivals={arrivals} />
      <Section title={m.order.lines} aside={<span className="small soft">{m.orders.lineCount(lines.length)}</span>}>
        <OrderLinesTable lines={lines} arrivals={arrivals} shipmentPath={paths.shipment} />
      </Section>
      <ConversationSection about={{ po_number: order.po_number }} />
      <OrderParameters order={order} />
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
