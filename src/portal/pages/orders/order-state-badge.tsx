import type { OrderState } from '../../../domain/order-quantities.js'
import { useMessages } from '../../i18n/messages.js'
import { type Mark, StatusBadge, type Tone } from '../../parts/badges.js'

const looks: Record<OrderState, [Tone, Mark]> = {
  open: ['planned', 'hollow'],
  partly_assigned: ['accent', 'half'],
  assigned: ['accent', 'full'],
  shipped: ['done', 'full'],
}

/** How far an order has got. */
export function OrderStateBadge({ state }: { state: OrderState }) {
  const { statuses } = useMessages()
  const [tone, mark] = looks[state]
  return (
    <StatusBadge tone={tone} mark={mark}>
      {statuses.orderState[state]}
    </StatusBadge>
  )
}
