import { IconPencil } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useParams, useRouterState } from '@tanstack/react-router'
import type { PurchaseOrder } from '../../../../src/contract/public/purchase-order.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import {
  isAssigned,
  orderProgressOf,
  orderStateOf,
  priceOfLines,
  quantitiesOf,
} from '../../../../src/domain/purchase-orders/order-quantities.js'
import { ButtonLink } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { DayText } from '../../../ui/day-text.js'
import { Notice } from '../../../ui/notice.js'
import { Page } from '../../../ui/page.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { orderQuery, shipmentQuery } from '../../api/queries.js'
import { useMay } from '../../api/session.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { AssignedNotice } from './order-form-notices.js'
import type { SavedState } from './order-form-page.js'
import { OrderLineCard } from './order-line-card.js'
import { OrderStateBadge } from './order-state-badge.js'
import styles from './orders.module.css'
import { QuantityBar } from './quantity-bar.js'

export function OrderPage() {
  const m = useMessages()
  const { reference = '' } = useParams({ strict: false })
  const { data: order, error, refetch } = useQuery(orderQuery(reference))
  if (order) return <Order order={order} />
  return (
    <Page title={reference} isLoading={!error} {...(!error && { lead: m.common.loading })}>
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={8} />}
    </Page>
  )
}

function Order({ order }: { order: PurchaseOrder }) {
  const m = useMessages()
  const format = useFormat()
  const mayWrite = useMay('write')
  const lines = order.purchase_order_lines
  const isLocked = isAssigned(order)
  const shipments = useShipmentsOf(order)
  return (
    <Page
      title={order.po_number}
      lead={m.order.sentence(orderProgressOf(lines), (quantity) => format.number(quantity))}
      {...(mayWrite && !isLocked && { actions: <EditButton reference={order.po_number} /> })}
    >
      <SavedNotice />
      {mayWrite && isLocked && <AssignedNotice isQuiet />}
      <Facts order={order} />
      <Section title={m.order.lines} aside={<span className="small soft">{m.orders.lineCount(lines.length)}</span>}>
        <ul className={styles.lines}>
          {lines.map((line) => (
            <OrderLineCard key={line.reference} line={line} shipments={shipments} />
          ))}
        </ul>
      </Section>
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

function EditButton({ reference }: { reference: string }) {
  const m = useMessages()
  return (
    <ButtonLink href={paths.editOrder(reference)} leftSection={<IconPencil size={16} aria-hidden="true" />}>
      {m.common.edit}
    </ButtonLink>
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

function Facts({ order }: { order: PurchaseOrder }) {
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
      {costs.length > 0 && (
        <div>
          <dt>{m.order.value}</dt>
          <dd>{costs.map((price) => format.money(price)).join(' + ')}</dd>
        </div>
      )}
      <div>
        <dt>{m.orders.state}</dt>
        <dd>
          <OrderStateBadge state={orderStateOf(quantities)} />
          <QuantityBar {...quantities} />
        </dd>
      </div>
    </dl>
  )
}

/** The shipments of the order's lines by identifier, as far as they have loaded. */
function useShipmentsOf(order: PurchaseOrder): ReadonlyMap<string, Shipment> {
  const ids = order.purchase_order_lines.flatMap(({ assigned_order_lines = [] }) =>
    assigned_order_lines.map(({ svc_shipment_id }) => svc_shipment_id),
  )
  const found = useQueries({ queries: [...new Set(ids)].map((id) => shipmentQuery(id)) })
  return new Map(found.flatMap(({ data }) => (data ? [[data.svc_shipment_id, data]] : [])))
}
