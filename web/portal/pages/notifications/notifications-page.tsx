import { IconCheck, IconChecks, IconSettings } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Notification } from '../../../../src/contract/portal/notifications.js'
import type { PortalBody } from '../../../../src/contract/portal/operations.js'
import { notificationPath } from '../../../../src/domain/notifications/notification-path.js'
import { notificationText } from '../../../../src/domain/notifications/notification-texts.js'
import { AppLink } from '../../../ui/app-link.js'
import { Button, ButtonLink, TextButton } from '../../../ui/button.js'
import { LoadMore } from '../../../ui/load-more.js'
import { MomentText } from '../../../ui/moment-text.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { Page } from '../../../ui/page.js'
import { EmptyState, ErrorState, Lines } from '../../../ui/states.js'
import { api } from '../../api/client.js'
import { notificationsQuery } from '../../api/queries.js'
import { useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './notifications.module.css'

/** The notifications of the person, the newest first. */
export function NotificationsPage() {
  const { notifications: m, common } = useMessages()
  const client = useQueryClient()
  const found = useInfiniteQuery(notificationsQuery())
  const mark = useMutation({
    mutationFn: (body: PortalBody<'markNotificationsRead'>) => api.portal.markNotificationsRead({ body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['notifications'] }),
  })
  const notifications = found.data?.pages.flatMap((page) => page.notifications) ?? []
  const unread = found.data?.pages[0]?.unread ?? 0
  const [newest] = notifications
  const markAll = newest && unread > 0 && (
    <Button
      variant="default"
      leftSection={<IconChecks size={16} aria-hidden="true" />}
      loading={mark.isPending}
      onClick={() => mark.mutate({ up_to: newest.notification_id })}
    >
      {m.markAll}
    </Button>
  )
  return (
    <Page
      title={m.title}
      lead={found.data ? m.lead(unread) : common.loading}
      isLoading={found.isPending}
      actions={
        <>
          {markAll}
          <ButtonLink
            variant="default"
            href={paths.settings()}
            leftSection={<IconSettings size={16} aria-hidden="true" />}
          >
            {m.settings}
          </ButtonLink>
        </>
      }
    >
      {mark.error && <ErrorNotice error={mark.error} />}
      <div className="panel">
        {found.isPending && <Lines count={6} />}
        {found.error && <ErrorState error={found.error} retry={() => void found.refetch()} />}
        {found.data && notifications.length === 0 && <EmptyState title={m.none} text={m.noneText} />}
        {notifications.length > 0 && (
          <ul className={styles.list} aria-label={m.list}>
            {notifications.map((notification) => (
              <Item
                key={notification.notification_id}
                notification={notification}
                onRead={() => mark.mutate({ notification_ids: [notification.notification_id] })}
              />
            ))}
          </ul>
        )}
      </div>
      {found.hasNextPage && <LoadMore count={notifications.length} loadMore={() => void found.fetchNextPage()} />}
    </Page>
  )
}

function Item({ notification, onRead }: { notification: Notification; onRead(): void }) {
  const { notifications: m } = useMessages()
  const { preferences } = useSession()
  const { label, title, sentence, stake } = notificationText(notification, preferences.language)
  const name = title || label
  return (
    <li className={styles.item} data-unread={!notification.read}>
      <span className={styles.dot} aria-hidden="true" />
      <div className={styles.text}>
        <p className="small soft">
          {!notification.read && <span className="visually-hidden">{m.unread} </span>}
          {label} · <MomentText at={notification.at} look="ago" />
        </p>
        <AppLink href={notificationPath(notification)} className={styles.link} onClick={onRead}>
          {name}
        </AppLink>
        {sentence !== undefined && <p>{sentence}</p>}
        {stake !== undefined && <p className="small soft">{stake}</p>}
      </div>
      {!notification.read && (
        <TextButton className="small" aria-label={m.markOne(name)} onClick={onRead}>
          <IconCheck size={18} aria-hidden="true" />
        </TextButton>
      )}
    </li>
  )
}
