import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { PurchaseOrder } from '../../../../src/contract/public/purchase-order.js'
import { orderProgressOf, quantitiesOf } from '../../../../src/domain/purchase-orders/order-quantities.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { OrderFacts, OrderParameters } from '../../../portal/pages/orders/order-facts.js'
import { OrderLinesTable } from '../../../portal/pages/orders/order-lines-table.js'
import { AppLink } from '../../../ui/app-link.js'
import { BackLink } from '../../../ui/back-link.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Notice } from '../../../ui/notice.js'
import { Page } from '../../../ui/page.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { ReasonDialog } from '../../actions/reason-dialog.js'
import { ActionsContext, useActionState } from '../../actions/use-actions.js'
import { accountQuery, ops, orderArrivalsQuery, orderQuery, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { CustomerConversation } from '../conversation/customer-conversation.js'

type OfOrder = { account: string; po_number: string }

/** An order of a customer: what was ordered, where it is, and the messages about it, which mails to staff link to. */
export function OrderPage() {
  const params = useParams({ strict: false }) as OfOrder
  const { account, po_number } = params
  const { nav } = useOfficeMessages()
  const m = useMessages()
  const f = useFormat()
  const { data: customer } = useQuery(accountQuery(account))
  const { data, error, refetch } = useQuery(orderQuery(account, po_number))
  const { actions, outcome } = useActionState()
  const order = data?.shown
  const cancellation = data?.record.cancellation
  return (
    <ActionsContext value={actions}>
      <Page
        back={<BackLink path={paths.bookings({ account })}>{nav.bookings}</BackLink>}
        title={po_number}
        isLoading={!data && !error}
        lead={
          <>
            <AppLink href={paths.customer(account)}>{customer?.name ?? account}</AppLink>
            {order && !cancellation && (
              <> · {m.order.sentence(orderProgressOf(order.purchase_order_lines), (count) => f.number(count))}</>
            )}
          </>
        }
        actions={order && !cancellation && <Actions account={account} order={order} />}
      >
        {outcome}
        {cancellation && (
          <Notice tone="locked" title={m.order.cancelled(f.day(cancellation.cancelled_at))}>
            {cancellation.reason}
          </Notice>
        )}
        {error && <ErrorState error={error} retry={() => void refetch()} />}
        {!data && !error && <Lines count={8} />}
        {order && <Content account={account} order={order} />}
        <CustomerConversation account={account} about={{ po_number }} />
        {order && <OrderParameters order={order} />}
      </Page>
    </ActionsContext>
  )
}

function Content({ account, order }: { account: string; order: PurchaseOrder }) {
  const m = useMessages()
  const { po_number, purchase_order_lines: lines } = order
  const { data: arrivals } = useQuery(orderArrivalsQuery(account, po_number))
  return (
    <>
      <OrderFacts order={order} arrivals={arrivals} />
      <Section title={m.order.lines} aside={m.orders.lineCount(lines.length)}>
        <OrderLinesTable lines={lines} arrivals={arrivals} shipmentPath={(id) => paths.shipment(account, id)} />
      </Section>
    </>
  )
}

/** What is open is booked at the desk; an order of which nothing is assigned can be cancelled, for good: it asks. */
function Actions({ account, order }: { account: string; order: PurchaseOrder }) {
  const { bookings: m } = useOfficeMessages()
  const mayOperate = useMayDo('operate')
  const reference = order.po_number
  const draft = `cancel-order ${account} ${reference}`
  const [isAsked, setAsked] = useState(() => hasDraft(draft))
  if (!mayOperate) return null
  const { ordered, assigned } = quantitiesOf(order.purchase_order_lines)
  const cancel = async (reason: string) => {
    await ops.cancelPurchaseOrder({ params: { account, reference }, body: { reason } })
    return { text: m.orderCancelled }
  }
  return (
    <>
      {assigned === 0 && (
        <Button variant="default" onClick={() => setAsked(true)}>
          {m.cancelOrder}
        </Button>
      )}
      {assigned < ordered && <ButtonLink href={paths.bookings({ account, q: reference })}>{m.bookLines}</ButtonLink>}
      {isAsked && (
        <ReasonDialog
          draft={draft}
          title={m.cancelOrder}
          text={m.cancelOrderText}
          confirm={m.cancelOrder}
          onClose={() => setAsked(false)}
          act={cancel}
        />
      )}
    </>
  )
}
