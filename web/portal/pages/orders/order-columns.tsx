import type { PurchaseOrder } from '../../../../src/contract/public/purchase-order.js'
import {
  type OrderQuantities,
  orderStateOf,
  quantitiesOf,
} from '../../../../src/domain/purchase-orders/order-quantities.js'
import { Copyable } from '../../../ui/copyable.js'
import type { Column } from '../../../ui/data-table.js'
import { DayText } from '../../../ui/day-text.js'
import type { Format } from '../../i18n/format.js'
import type { Messages } from '../../i18n/messages.js'
import { type Arrivals, OrderArrivalText } from './order-arrival-text.js'
import { OrderStateBadge } from './order-state-badge.js'
import { QuantityBar } from './quantity-bar.js'

export function orderColumns(m: Messages['orders'], format: Format, arrivals: Arrivals): Column<PurchaseOrder>[] {
  const quantity = (name: keyof OrderQuantities, width: number): Column<PurchaseOrder> => ({
    id: name,
    header: m[name],
    align: 'right',
    width,
    cell: (order) => format.number(ofOrder(order)[name]),
  })
  return [
    {
      id: 'reference',
      header: m.reference,
      sort: 'reference',
      width: 132,
      always: true,
      cell: ({ po_number }) => <Copyable text={po_number} />,
    },
    {
      id: 'supplier',
      header: m.supplier,
      sort: 'supplier',
      width: 176,
      rank: 4,
      grow: true,
      cell: ({ supplier_name }) => supplier_name,
    },
    {
      id: 'state',
      header: m.state,
      width: 172,
      rank: 3,
      cell: (order) => (
        <OrderStateBadge state={orderStateOf(ofOrder(order), arrivals.get(order.po_number)?.cancelled)} />
      ),
    },
    {
      id: 'expected',
      header: m.expected,
      width: 216,
      // With how late it is: it stays where not all columns fit.
      rank: 1,
      cell: ({ po_number }) => <OrderArrivalText arrival={arrivals.get(po_number)} />,
    },
    {
      id: 'delivery',
      header: m.delivery,
      sort: 'delivery',
      width: 124,
      rank: 2,
      cell: ({ desired_delivery_date: date }) => date && <DayText date={date} isShort />,
    },
    quantity('ordered', 92),
    quantity('assigned', 84),
    quantity('shipped', 80),
    { id: 'progress', header: m.progressHead, width: 100, cell: (order) => <QuantityBar {...ofOrder(order)} /> },
    {
      id: 'exFactory',
      header: m.exFactory,
      sort: 'ex_factory',
      width: 156,
      cell: ({ desired_ex_factory_date: date }) => date && <DayText date={date} isShort />,
    },
    {
      id: 'lines',
      header: m.lines,
      align: 'right',
      width: 66,
      cell: ({ purchase_order_lines }) => format.number(purchase_order_lines.length),
    },
  ]
}

function ofOrder({ purchase_order_lines }: PurchaseOrder): OrderQuantities {
  return quantitiesOf(purchase_order_lines)
}
