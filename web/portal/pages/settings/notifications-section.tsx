import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Subscription } from '../../../../src/contract/portal/notifications.js'
import { Button } from '../../../ui/button.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { type PlainColumn, PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, TableSkeleton } from '../../../ui/states.js'
import { api } from '../../api/client.js'
import { subscriptionsQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import { NotificationTimes } from './notification-times.js'
import styles from './settings.module.css'
import { SubscriptionDialog } from './subscription-dialog.js'

/** What the person is notified of, and when mails are sent. */
export function NotificationsSection() {
  const { notifications: m } = useMessages()
  const client = useQueryClient()
  const { data: subscriptions, error, refetch } = useQuery(subscriptionsQuery())
  const [edited, setEdited] = useState<Subscription | 'new'>()
  const remove = useMutation({
    mutationFn: ({ subscription_id }: Subscription) => api.portal.removeSubscription({ params: { subscription_id } }),
    onSettled: () => client.invalidateQueries({ queryKey: subscriptionsQuery().queryKey }),
  })
  const columns = useColumns(setEdited, (subscription) => remove.mutate(subscription))
  return (
    <Section title={m.section}>
      <div className={styles.stack}>
        <p className="soft">{m.sectionText}</p>
        {remove.error && <ErrorNotice error={remove.error} />}
        {!subscriptions &&
          (error ? (
            <div className="panel">
              <ErrorState error={error} retry={() => void refetch()} />
            </div>
          ) : (
            <TableSkeleton rows={1} columns={4} />
          ))}
        {subscriptions && subscriptions.length > 0 && (
          <PlainTable
            label={m.section}
            rows={subscriptions}
            columns={columns}
            rowKey={({ subscription_id }) => subscription_id}
          />
        )}
        <div>
          <Button variant="default" onClick={() => setEdited('new')}>
            {m.add}
          </Button>
        </div>
        <NotificationTimes />
      </div>
      {edited && (
        <SubscriptionDialog subscription={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Section>
  )
}

function useColumns(
  onEdit: (subscription: Subscription) => void,
  onRemove: (subscription: Subscription) => void,
): PlainColumn<Subscription>[] {
  const { notifications: m } = useMessages()
  const nameOf = ({ scope, id = '', name = id }: Subscription) => m.scopes[scope](name)
  return [
    { id: 'covers', header: m.covers, isName: true, cell: (each) => <span className="strong">{nameOf(each)}</span> },
    { id: 'about', header: m.about, cell: ({ exceptions, changes }) => m.counts(exceptions.length, changes.length) },
    { id: 'delivery', header: m.delivery, cell: ({ delivery }) => m.deliveries[delivery] },
    {
      id: 'actions',
      header: m.actions,
      align: 'right',
      isPlain: true,
      cell: (each) => (
        <>
          <Button size="xs" variant="subtle" aria-label={m.editNamed(nameOf(each))} onClick={() => onEdit(each)}>
            {m.edit}
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={m.removeNamed(nameOf(each))}
            onClick={() => onRemove(each)}
          >
            {m.remove}
          </Button>
        </>
      ),
    },
  ]
}
