import type { OrderState } from '../../../../src/domain/purchase-orders/order-quantities.js'
import { type Mark, StatusBadge, type Tone } from '../../../ui/badges.js'
import { useMessages } from '../../i18n/messages.js'

const looks: Record<OrderState, [Tone, Mark]> = {
  open: ['planned', 'hollow'],
  partly_assigned: ['accent', 'half'],
  assigned: ['accent', 'full'],
  shipped: ['done', 'full'],
  cancelled: ['planned', 'crossed'],
}

export function OrderStateBadge({ state }: { state: OrderState }) {
  const { statuses } = useMessages()
  const [tone, mark] = looks[state]
  return (
    <StatusBadge tone={tone} mark={mark}>
      {statuses.orderState[state]}
    </StatusBadge>
  )
}
