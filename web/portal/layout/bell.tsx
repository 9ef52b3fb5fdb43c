import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { unreadText } from '../../../src/contract/portal/notification-kinds.js'
import { AppLink } from '../../ui/app-link.js'
import { unreadQuery } from '../api/queries.js'
import { useMessages } from '../i18n/messages.js'
import { paths } from '../paths.js'
import styles from './navigation.module.css'

/** The link to the notifications, with the number of unread ones. */
export function Bell() {
  const { notifications: m } = useMessages()
  const { data: unread = 0 } = useQuery(unreadQuery())
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const label = m.bell(unread)
  return (
    <AppLink
      href={paths.notifications()}
      className={styles.bell}
      aria-label={label}
      title={label}
      aria-current={pathname === paths.notifications() ? 'page' : undefined}
    >
      <IconBell size={18} stroke={1.6} aria-hidden="true" />
      <UnreadBadge />
    </AppLink>
  )
}

/** Nothing without unread ones. */
export function UnreadBadge() {
  const { data: unread = 0 } = useQuery(unreadQuery())
  if (unread === 0) return null
  return (
    <span className={styles.badge} aria-hidden="true">
      {unreadText(unread)}
    </span>
  )
}
