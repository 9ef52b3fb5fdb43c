import type { OrderArrival } from '../../../../src/contract/portal/inbound.js'
import type { PurchaseOrder } from '../../../../src/contract/public/purchase-order.js'
import { orderStateOf, quantitiesOf } from '../../../../src/domain/purchase-orders/order-quantities.js'
import { DayText } from '../../../ui/day-text.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import lists from '../lists.module.css'
import { OrderArrivalText } from './order-arrival-text.js'
import { OrderStateBadge } from './order-state-badge.js'
import { QuantityBar } from './quantity-bar.js'

export function OrderCard({ order, arrival }: { order: PurchaseOrder; arrival: OrderArrival | undefined }) {
  const m = useMessages().orders
  const format = useFormat()
  const quantities = quantitiesOf(order.purchase_order_lines)
  const { ordered, assigned, shipped } = quantities
  return (
    <div className={lists.card}>
      <div className={lists.cardRow}>
        <span className="mono strong clipped">{order.po_number}</span>
        <OrderStateBadge state={orderStateOf(quantities, arrival?.cancelled)} />
      </div>
      {order.supplier_name && <div className="clipped">{order.supplier_name}</div>}
      <QuantityBar {...quantities} />
      <div className="small soft">
        {m.progress(format.number(ordered), format.number(assigned), format.number(shipped))}
      </div>
      {arrival?.expected_date !== undefined && (
        <div className="small">
          <span className="soft">{m.expected} </span>
          <OrderArrivalText arrival={arrival} />
        </div>
      )}
      {order.desired_delivery_date && (
        <div className="small">
          <span className="soft">{m.delivery} </span>
          <DayText date={order.desired_delivery_date} />
        </div>
      )}
    </div>
  )
}
