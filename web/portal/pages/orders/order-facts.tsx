import type { OrderArrivals } from '../../../../src/contract/public/inbound.js'
import type { PurchaseOrder } from '../../../../src/contract/public/purchase-order.js'
import { orderStateOf, priceOfLines, quantitiesOf } from '../../../../src/domain/purchase-orders/order-quantities.js'
import { LateChip } from '../../../ui/badges.js'
import { Copyable } from '../../../ui/copyable.js'
import { DayText } from '../../../ui/day-text.js'
import { Section } from '../../../ui/section.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { ExpectedDay } from '../inbound/expected-day.js'
import { OrderStateBadge } from './order-state-badge.js'
import styles from './orders.module.css'
import { QuantityBar } from './quantity-bar.js'

type Props = { order: PurchaseOrder; arrivals: OrderArrivals | undefined }

/** Who, when, how much of an order: in the portal and in the office. */
export function OrderFacts({ order, arrivals }: Props) {
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

/** What the customer adds to an order. */
export function OrderParameters({ order: { custom_parameters = [] } }: Pick<Props, 'order'>) {
  const m = useMessages()
  if (custom_parameters.length === 0) return null
  return (
    <Section title={m.order.parameters}>
      <dl className={styles.facts}>
        {custom_parameters.map(({ name, value }, index) => (
          // Names are not unique.
          <div key={`${index} ${name}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
