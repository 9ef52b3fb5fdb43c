import { IconBellFilled, IconBellPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChangeType, Scope } from '../../../../src/contract/portal/notification-kinds.js'
import type { ExceptionKind } from '../../../../src/contract/public/exception.js'
import { Button } from '../../../ui/button.js'
import { api } from '../../api/client.js'
import { subscriptionsQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'

const changes: Record<'shipment' | 'purchase_order', ChangeType[]> = {
  shipment: ['shipment.updated', 'document.created', 'invoice.issued', 'message.created'],
  purchase_order: ['purchase_order.updated', 'message.created'],
}

type Props = { scope: Extract<Scope, 'shipment' | 'purchase_order'>; id: string }

/** Starts and ends notifications about one shipment or order; the settings have the details. */
export function WatchButton({ scope, id }: Props) {
  const { notifications: m, exceptions } = useMessages()
  const client = useQueryClient()
  const { data } = useQuery(subscriptionsQuery())
  const watched = data?.filter((each) => each.scope === scope && each.id === id) ?? []
  const isWatched = watched.length > 0
  const turn = useMutation({
    async mutationFn() {
      if (!isWatched) {
        const about = { exceptions: Object.keys(exceptions.kinds) as ExceptionKind[], changes: changes[scope] }
        await api.portal.createSubscription({ body: { scope, id, ...about, delivery: 'at_once' } })
        return
      }
      for (const { subscription_id } of watched) await api.portal.removeSubscription({ params: { subscription_id } })
    },
    onSettled: () => client.invalidateQueries({ queryKey: subscriptionsQuery().queryKey }),
  })
  const Icon = isWatched ? IconBellFilled : IconBellPlus
  return (
    <Button
      variant="default"
      aria-pressed={isWatched}
      title={isWatched ? m.stopText : m.watchText}
      leftSection={<Icon size={16} aria-hidden="true" />}
      disabled={!data}
      loading={turn.isPending}
      onClick={() => turn.mutate()}
    >
      {isWatched ? m.watching : m.watch}
    </Button>
  )
}
